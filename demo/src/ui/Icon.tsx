import type { ReactElement } from 'react';

const paths = {
  alert:
    'M12 8v5m0 3.500v.010M10.300 4 2.900 17a2 2 0 0 0 1.700 3h14.800a2 2 0 0 0 1.700-3L13.700 4a2 2 0 0 0-3.400 0Z',
  archive: 'M4 5h16v4H4zM5.500 9v10h13V9M10 13h4',
  attach: 'm20 11-8.500 8.500a5 5 0 0 1-7-7L13 4a3.500 3.500 0 0 1 5 5l-8.500 8.500a2 2 0 0 1-3-3L14 7',
  branch:
    'M7 8v8M7 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17 10c0 3.500-3.500 3.500-10 5',
  arrowDown: 'M12 5v14m-6-6 6 6 6-6',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  chevron: 'm9 6 6 6-6 6',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13.500 6.500l4 4',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  hand: 'M8 12V5.500a1.500 1.500 0 0 1 3 0V11m0-1V4a1.500 1.500 0 0 1 3 0v6.500m0-.5V5.500a1.500 1.500 0 0 1 3 0V14c0 4-2.500 7-6.500 7-3 0-4.500-1.500-6-4.500l-1.700-3.300a1.400 1.400 0 0 1 2.400-1.400L8 14',
  history: 'M4.500 8.500A8.500 8.500 0 1 1 3.500 12M4 4v5h5M12 7.500V12l3 2',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17M15 9.500v.010',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM11 12.500 19.500 4M16 7.500l2.500 2.500M13.500 10l2 2',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1',
  chart: 'M5 20V11M12 20V4M19 20v-6',
  database:
    'M12 4c4 0 7 1.200 7 2.800S16 9.500 12 9.500 5 8.400 5 6.800 8 4 12 4ZM5 6.800V17c0 1.600 3 2.800 7 2.800s7-1.200 7-2.800V6.800M5 12c0 1.600 3 2.700 7 2.700s7-1.100 7-2.700',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  globe:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3.500 12h17M12 3c2.500 2.500 3.500 5.500 3.500 9s-1 6.500-3.500 9c-2.500-2.500-3.500-5.500-3.500-9s1-6.500 3.500-9Z',
  keyboard: 'M3 7h18v11H3zM7 11h.010M11 11h.010M15 11h.010M17 14.500h.010M7 14.500h6.500',
  menu: 'M4 7h16M4 12h16M4 17h10',
  more: 'M5.500 12h1m5 0h1m5 0h1M6 11.500v1m6-1v1m6-1v1',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v6',
  wrap: 'M4 6h16M4 12h13a3 3 0 0 1 0 6h-4m2-2.500L12.500 18l2.500 2.500M4 18h4',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5v14l12-7z',
  plus: 'M12 5v14M5 12h14',
  stepBack: 'm14 6-6 6 6 6',
  stepOn: 'm10 6 6 6-6 6',
  runBack: 'm18 6-6 6 6 6M6 5v14',
  runOn: 'm6 6 6 6-6 6M18 5v14',
  question:
    'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.010M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  refresh: 'M19 11a7 7 0 1 0-1.500 5.500M19 5v6h-6',
  search: 'M10.500 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM15 15l4.500 4.500',
  send: 'M12 19V5m-6 6 6-6 6 6',
  settings: 'M4 7h9m5 0h2M4 17h3m5 0h8M13 4.500v5M7 14.500v5',
  side: 'M4 5h16v14H4zM14 5v14',
  stop: 'M5 5h14v14H5z',
  sliders: 'M5 8h8m4 0h2M5 16h3m4 0h7M15 5.500v5M10 13.500v5',
  theme: 'M12 4a8 8 0 1 0 0 16V4Z',
  tool: 'M14.500 6.500a4 4 0 0 1 5-1.300l-2.700 2.700 1.800 1.800 2.300-2.300A4 4 0 0 1 15.400 12L8 19.400A2.400 2.400 0 0 1 4.600 16L12 8.600a4 4 0 0 1 2.500-2.100Z',
  upload: 'M12 15V4m-5 5 5-5 5 5M5 20h14',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5.500M13.500 11v5.500',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a text or on a labelled button, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className="icon" data-icon={name} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
