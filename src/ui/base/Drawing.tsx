import type { ReactElement } from 'react';

interface DrawingProps {
  readonly name: string;
  /** Of 24 × 24. */
  readonly path: string;
}

/** The frame of an icon, hidden from screen readers. Icons are in several files: a page loads those of the parts that it uses. */
export function Drawing({ name, path }: DrawingProps): ReactElement {
  return (
    <svg className="bk-icon" data-icon={name} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
