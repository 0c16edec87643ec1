/** A row by column. */
export type Row = Readonly<Record<string, string | number | undefined>>;

/** Returns rows as CSV, as RFC 4180 states: lines end with CRLF, quotes are doubled. */
export function toCsv(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns.map(toCell), ...rows.map((row) => columns.map((column) => toCell(row[column])))];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Returns a cell. A text that a spreadsheet would run as a formula begins with an apostrophe; numbers are numbers. */
function toCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
