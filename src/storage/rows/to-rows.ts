/** A row of the table `events`. */
export interface EventRow {
  /** `seq` of the last event in the row. */
  readonly seq: number;
  readonly value: unknown;
}

/** Characters of JSON in a row: Chromium stores values from 64 KB in a file of their own, and a character may take two bytes. */
const maxSize = 32_000;
/** Events in a row. */
const maxEvents = 128;

/**
 * Groups settled events into rows of as many as fit: the fewer rows a log has, the faster it is read.
 *
 * @param values the stored form of each event
 */
export function* toRows(
  events: readonly { readonly seq: number }[],
  values: readonly unknown[],
): Generator<EventRow, void> {
  let row: { seq: number; value: unknown[] } | undefined;
  let size = 0;
  for (const [index, { seq }] of events.entries()) {
    const value = values[index];
    const length = JSON.stringify(value).length;
    size += length;
    if (row === undefined || row.value.length === maxEvents || size > maxSize) {
      if (row) yield row;
      row = { seq, value: [] };
      size = length;
    }
    row.seq = seq;
    row.value.push(value);
  }
  if (row) yield row;
}
