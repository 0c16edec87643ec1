import type { ToolPart } from '../../core/model/index.ts';
import type { Labels } from '../labels/english.ts';

/** Returns the title of a call, wherever it is named: in the conversation, in a notice, in a review. */
export function titleOfCall(
  words: Pick<Labels['tool'], 'title' | 'passedTo'>,
  { name, handoff }: Pick<ToolPart, 'name' | 'handoff'>,
): string {
  return handoff === undefined ? words.title(name) : words.passedTo(handoff);
}
