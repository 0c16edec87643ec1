import type { ReactElement } from 'react';
import { Drawing } from '../base/Drawing.tsx';

// Apart from the icons of the chat: a page without a review does not load them.
const paths = {
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5v14l12-7z',
  stepBack: 'm14 6-6 6 6 6',
  stepOn: 'm10 6 6 6-6 6',
  runBack: 'm18 6-6 6 6 6M6 5v14',
  runOn: 'm6 6 6 6-6 6M18 5v14',
} as const;

export type MoveIconName = keyof typeof paths;

/** The icon of a button that moves the position, hidden from screen readers. */
export function MoveIcon({ name }: { readonly name: MoveIconName }): ReactElement {
  return <Drawing name={name} path={paths[name]} />;
}
