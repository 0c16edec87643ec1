import { elementScroll, useVirtualizer } from '@tanstack/react-virtual';
import type { ReactElement, RefObject } from 'react';
import type { Row } from './rows.ts';
import { corrected } from './useStickToBottom.ts';

interface VirtualRowsProps {
  readonly rows: readonly Row[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly renderRow: (row: Row) => ReactElement;
}

/** px, until a row has been measured. */
const estimate = 140;

/** Corrects the position where rows above the viewport turn out smaller or taller than estimated, and says that nobody scrolled. */
const correctPosition: typeof elementScroll = (offset, options, instance) => {
  elementScroll(offset, options, instance);
  instance.scrollElement?.dispatchEvent(new Event(corrected));
};

/** The rows near the viewport, and space in the place of the others. `aria-posinset` tells a screen reader where they are. */
export function VirtualRows({ rows, scroller, renderRow }: VirtualRowsProps): ReactElement {
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is passed on to other components
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    scrollToFn: correctPosition,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <ol className="messages virtual" style={{ paddingBlock: `${before}px ${after}px` }}>
      {items.map(({ key, index }) => {
        const row = rows[index];
        return (
          row && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="row"
              aria-posinset={index + 1}
              aria-setsize={rows.length}
            >
              {renderRow(row)}
            </li>
          )
        );
      })}
    </ol>
  );
}
