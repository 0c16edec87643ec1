import type { ReactElement, ReactNode } from 'react';
import { usePlace } from './usePlace.ts';

interface PlacedItemProps {
  /** 0 to 1. */
  readonly at: number;
  /** Of a line: 0 to 1. Of a bar: its share. */
  readonly span?: number;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** An item of a list that lies along a line. */
export function PlacedItem({ at, span, className, children }: PlacedItemProps): ReactElement {
  const item = usePlace<HTMLLIElement>(at, span);
  return (
    <li ref={item} className={className}>
      {children}
    </li>
  );
}
