import type { ReactElement } from 'react';
import { Glyph } from '../base/Glyph.tsx';
import type { Block } from './lines.ts';

interface BlocksProps {
  readonly blocks: readonly Block[];
  /** px of the lines after the last block. */
  readonly below: number;
  readonly isArchiveOpen: boolean;
  readonly onArchive: () => void;
  readonly renderRow: (row: Block['rows'][number]) => ReactElement;
}

/** The groups of the list with the rows that are in the page, and room in the place of the others. */
export function Blocks({ blocks, below, isArchiveOpen, onArchive, renderRow }: BlocksProps): ReactElement {
  return (
    <>
      {blocks.map(({ group, hasHeading, above, rows }) => (
        <div key={group.key} role={group.label === undefined ? undefined : 'group'} aria-label={group.label}>
          <Room px={above} />
          {hasHeading && (
            <h2 className="bk-session-heading">
              {group.isArchive ? (
                <button type="button" aria-expanded={isArchiveOpen} onClick={onArchive}>
                  <Glyph name="expand" />
                  {group.label}
                </button>
              ) : (
                group.label
              )}
            </h2>
          )}
          {rows.length > 0 && (
            <ul>
              {rows.flatMap((row) => [
                ...(row.above > 0
                  ? [
                      <li key={`above ${row.session.id}`} aria-hidden="true">
                        <Room px={row.above} />
                      </li>,
                    ]
                  : []),
                renderRow(row),
              ])}
            </ul>
          )}
        </div>
      ))}
      <Room px={below} />
    </>
  );
}

/** An empty place. A picture, since a height as an attribute needs no `style`. */
function Room({ px }: { readonly px: number }): ReactElement | null {
  return px > 0 ? <svg className="bk-room" width="1" height={px} aria-hidden="true" /> : null;
}
