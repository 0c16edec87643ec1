import type { ReactElement } from 'react';
import { Drawing } from './Drawing.tsx';

const paths = {
  archive: 'M4 5h16v4H4zM5.500 9v10h13V9M10 13h4',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  close: 'M6 6l12 12M18 6 6 18',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13.500 6.500l4 4',
  expand: 'm6 9 6 6 6-6',
  key: 'M14 10a4 4 0 1 0-3.200 3.900L13 16h2v2h2v2h3v-3l-6.300-6.300M8.500 9.500v.010',
  label: 'M4 5h8l8 8-7 7-9-9zM8.500 9v.010',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  more: 'M5.500 12v.010M12 12v.010M18.500 12v.010',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12Zm4.500 10.500L20 20',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
} as const;

export type GlyphName = keyof typeof paths;

/** An icon as `Icon`, of the parts beside a chat: a page with `Chat` alone does not load these. */
export function Glyph({ name }: { readonly name: GlyphName }): ReactElement {
  return <Drawing name={name} path={paths[name]} />;
}
