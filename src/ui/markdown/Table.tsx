import type { Tokens } from 'marked';
import type { ReactElement, ReactNode } from 'react';
import type { Labels } from '../labels/english.ts';
import { maxColumns } from './limits.ts';

interface TableProps {
  readonly table: Tokens.Table;
  readonly labels: Labels['markdown'];
  readonly draw: (cell: Tokens.TableCell) => ReactNode;
}

/** A table that scrolls by itself when it is wider than the column. Columns beyond `maxColumns` are left out, with a note. */
export function Table({ table, labels, draw }: TableProps): ReactElement {
  const leftOut = table.header.length - maxColumns;
  const cells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td'): ReactNode =>
    row.slice(0, maxColumns).map((cell, column) => (
      // A cell has no other key than its column.
      <Cell key={column} scope={Cell === 'th' ? 'col' : undefined} data-align={cell.align ?? undefined}>
        {draw(cell)}
      </Cell>
    ));
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <section className="bk-table" dir="auto" tabIndex={0} aria-label={labels.table}>
        <table>
          <thead>
            <tr>{cells(table.header, 'th')}</tr>
          </thead>
          <tbody>
            {table.rows.map((row, index) => (
              // Rows are only added at the end.
              <tr key={index}>{cells(row, 'td')}</tr>
            ))}
          </tbody>
        </table>
      </section>
      {leftOut > 0 && <p className="bk-hint">{labels.columnsLeftOut(leftOut)}</p>}
    </>
  );
}
