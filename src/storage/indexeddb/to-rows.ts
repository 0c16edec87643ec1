import type { SessionEvent } from '../../core/model/event.ts';

/** A row of the table of events. */
interface EventRow {
  /** Of the last event in it. */
  readonly seq: number;
  readonly value: unknown;
}

/** Characters of JSON in a list: from 64 KB on Chromium keeps a value in a file of its own, and a character may take two bytes. */
const fullAt = 32_000;
const most = 128;

/**
 * Rows for settled events: lists of as many as fit, because a log is read the faster the fewer rows it has.
 *
 * @param values what to store of each event
 */
export function toRows(events: readonly SessionEvent[], values: readonly unknown[]): readonly EventRow[] {
  const rows: { seq: number; value: unknown[] }[] = [];
  let size = 0;
  for (const [index, { seq }] of events.entries()) {
    const value = values[index];
    const length = JSON.stringify(value).length;
    size += length;
    let row = rows.at(-1);
    if (row === undefined || row.value.length === most || size > fullAt) {
      rows.push((row = { seq, value: [] }));
      size = length;
    }
    row.seq = seq;
    row.value.push(value);
  }
  return rows;
}
