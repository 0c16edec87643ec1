import type { ReactElement } from 'react';
import { Drawing } from './Drawing.tsx';

const paths = {
  alert:
    'M12 8v5m0 3.500v.010M10.300 4 2.900 17a2 2 0 0 0 1.700 3h14.800a2 2 0 0 0 1.700-3L13.700 4a2 2 0 0 0-3.400 0Z',
  attach: 'm20 11-8.500 8.500a5 5 0 0 1-7-7L13 4a3.500 3.500 0 0 1 5 5l-8.500 8.500a2 2 0 0 1-3-3L14 7',
  arrowDown: 'M12 5v14m-6-6 6 6 6-6',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  chevron: 'm9 6 6 6-6 6',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13.500 6.500l4 4',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  hand: 'M8 12V5.500a1.500 1.500 0 0 1 3 0V11m0-1V4a1.500 1.500 0 0 1 3 0v6.500m0-.5V5.500a1.500 1.500 0 0 1 3 0V14c0 4-2.500 7-6.500 7-3 0-4.500-1.500-6-4.500l-1.700-3.300a1.400 1.400 0 0 1 2.400-1.400L8 14',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17M15 9.500v.010',
  wrap: 'M4 6h16M4 12h13a3 3 0 0 1 0 6h-4m2-2.500L12.500 18l2.500 2.500M4 18h4',
  stepBack: 'm14 6-6 6 6 6',
  stepOn: 'm10 6 6 6-6 6',
  question:
    'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.010M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  refresh: 'M19 11a7 7 0 1 0-1.500 5.500M19 5v6h-6',
  send: 'M12 19V5m-6 6 6-6 6 6',
  stop: 'M7 7h10v10H7z',
  tool: 'M14.500 6.500a4 4 0 0 1 5-1.300l-2.700 2.700 1.800 1.800 2.300-2.300A4 4 0 0 1 15.400 12L8 19.400A2.400 2.400 0 0 1 4.600 16L12 8.600a4 4 0 0 1 2.500-2.100Z',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a text or on a labelled button, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return <Drawing name={name} path={paths[name]} />;
}
