/** A mark of emphasis that is open. */
interface Open {
  readonly mark: '*' | '_' | '~';
  readonly length: 1 | 2;
}

const token = /\\.|(`+)|([*_~]+)/gsu;
/** A line that would turn the line above into a heading, or has no text yet. */
const barren = /\n[ \t]*(?:[-=*+#>]+|\d{1,9}[.)]?)[ \t]*$/u;
/** A link or a picture whose address has not arrived. */
const openAddress = /!?\[([^[\]]*)\]\([^()\s]*(?:\s[^()]*)?$/u;
const openLabel = /!?\[([^[\]]*)$/u;

/** Closes what the end of a growing Markdown text has left open: emphasis, code, links. The text before it is unchanged. */
export function closeMarkdown(text: string): string {
  const start = text.lastIndexOf('\n\n') + 1;
  const closed = closeParagraph(text.slice(start));
  // Without the empty line, the paragraph before would be the last.
  return text.slice(0, start) + (start > 0 && closed === '' ? '\n' : closed);
}

function closeParagraph(paragraph: string): string {
  const text = paragraph.replace(barren, '').replace(/\\$/u, '').trimEnd();
  return closeEmphasis(closeLinks(closeCode(text)));
}

/** Closes the last code, whose closing backticks may have arrived in part. */
function closeCode(text: string): string {
  const open = openCode(text);
  if (open === undefined) return text;
  const { ticks, index } = open;
  return index + ticks.length === text.length ? text.slice(0, index) : text.replace(/`+$/u, '') + ticks;
}

/** The backticks that have no counterpart yet. */
interface OpenCode {
  readonly ticks: string;
  readonly index: number;
}

function openCode(text: string): OpenCode | undefined {
  let open: OpenCode | undefined;
  for (const { 1: ticks, index } of text.matchAll(token)) {
    if (ticks === undefined) continue;
    if (open === undefined) open = { ticks, index };
    else if (ticks === open.ticks) open = undefined;
  }
  return open;
}

/** Leaves the label of a link whose address has not arrived. */
function closeLinks(text: string): string {
  // A bracket in code opens no link.
  const prose = text.replaceAll(/\\.|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gsu, (found) => ' '.repeat(found.length));
  const found = openAddress.exec(prose) ?? openLabel.exec(prose);
  if (found === null) return text;
  // A reference to a footnote has no text of its own.
  if (found[1]?.startsWith('^')) return text.slice(0, found.index);
  const label = prose.indexOf('[', found.index) + 1;
  const rest = text.slice(label, label + (found[1] ?? '').length);
  return closeLinks(text.slice(0, found.index) + rest);
}

function closeEmphasis(text: string): string {
  const trailing = /[*_~]+$/u.exec(text)?.[0] ?? '';
  const body = text.slice(0, text.length - trailing.length);
  const open = openMarks(body);
  // The marks at the end begin something that has not arrived, or are a part of what closes the last.
  return body + closersOf(open);
}

function closersOf(open: readonly Open[]): string {
  return open
    .toReversed()
    .map(({ mark, length }) => mark.repeat(length))
    .join('');
}

function openMarks(text: string): readonly Open[] {
  const open: Open[] = [];
  let code: string | undefined;
  for (const { 0: found, 1: ticks, 2: marks, index } of text.matchAll(token)) {
    if (ticks !== undefined) code = code === undefined ? ticks : code === ticks ? undefined : code;
    if (code !== undefined || marks === undefined) continue;
    const [before, after] = [text.charAt(index - 1), text.charAt(index + found.length)];
    let rest = marks.length;
    if (canClose(before, after, marks)) rest = close(open, marks, rest);
    if (rest > 0 && canOpen(before, after, marks)) open.push(...toOpen(marks, rest));
  }
  return open;
}

/** Closes the innermost marks of the same kind. Returns the length of the rest. */
function close(open: Open[], marks: string, length: number): number {
  let rest = length;
  for (let top = open.at(-1); top && top.mark === marks[0] && top.length <= rest; top = open.at(-1)) {
    open.pop();
    rest -= top.length;
  }
  return rest;
}

function toOpen(marks: string, length: number): readonly Open[] {
  const [mark] = marks;
  if (mark !== '*' && mark !== '_' && mark !== '~') return [];
  if (length > 3 || (mark === '~' && length !== 2)) return [];
  const two: Open = { mark, length: 2 };
  const one: Open = { mark, length: 1 };
  return [[], [one], [two], [two, one]][length] ?? [];
}

const isSpace = (character: string): boolean => character === '' || /\s/u.test(character);
const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

function canOpen(before: string, after: string, marks: string): boolean {
  return !isSpace(after) && !(marks.startsWith('_') && isWord(before));
}

function canClose(before: string, after: string, marks: string): boolean {
  return !isSpace(before) && !(marks.startsWith('_') && isWord(after));
}
