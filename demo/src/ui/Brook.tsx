import type { ReactElement } from 'react';

/** The logo of the studio: three waves. */
export function BrookMark(): ReactElement {
  return (
    <svg className="brook-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 8q3-3.400 6 0t6 0 6 0" />
      <path d="M3 13q3-3.400 6 0t6 0 6 0" />
      <path d="M3 18q3-3.400 6 0t6 0 6 0" />
    </svg>
  );
}

/** A moving wave, shown while the agent works. */
export function BrookFlow(): ReactElement {
  return (
    <svg className="brook-flow" viewBox="0 0 72 12" aria-hidden="true">
      <path d="M-24 6q6-6 12 0t12 0 12 0 12 0 12 0 12 0 12 0 12 0" />
    </svg>
  );
}

/** The background of an empty conversation. */
export function BrookScene(): ReactElement {
  return (
    <svg className="brook-scene" viewBox="0 0 1200 200" preserveAspectRatio="none" aria-hidden="true">
      {[40, 70, 98, 124, 148].map((y) => (
        <path key={y} d={`M-400 ${y}q100-${30 + y / 6} 200 0t200 0 200 0 200 0 200 0 200 0 200 0 200 0`} />
      ))}
    </svg>
  );
}
