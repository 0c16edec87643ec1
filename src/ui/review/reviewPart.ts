import { part, type PartAttributes } from '../base/part.ts';

/** Returns the attributes of the outermost element of a review, which has the styles of a chat. `state`: the view that is shown. */
export function reviewPart(className: string | undefined, state?: string): PartAttributes {
  return part('review', className === undefined ? 'bk-chat' : `bk-chat ${className}`, state);
}
