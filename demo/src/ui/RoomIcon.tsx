import type { ReactElement } from 'react';

/** Icons of rooms that are loaded later: the first load has only those of `Icon`. */
const paths = {
  plug: 'M9 3v5M15 3v5M6.500 8h11v3a5.500 5.500 0 0 1-11 0zM12 16.500V21',
  book: 'M12 6.500C10 5 7 4.500 4 4.700V18c3-.2 6 .3 8 1.800 2-1.500 5-2 8-1.800V4.700c-3-.2-6 .3-8 1.800ZM12 6.500v13.300',
  devices: 'M4 6h12v5M4 6v9h7M2 18h9M14 11.500h6.500V20H14zM16.800 17.700h.800',
  folder: 'M3.500 6h6l2 2.500h9V19h-17z',
  window: 'M4 5h16v14H4zM4 9.500h16M7 7.300h.010',
} as const;

export type RoomIconName = keyof typeof paths;

/** An icon beside a text or on a labelled button, hidden from screen readers. */
export function RoomIcon({ name }: { readonly name: RoomIconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
