/** What the front matter of a file is, before its fields are read: the lines of each key, and the text below. */
export interface FrontMatter {
  /** Returns the text of a field; `undefined` for a missing field. Throws `FrontMatterError` for a field that is not a text. */
  readonly textOf: (key: string) => string | undefined;
  /** What follows the front matter. */
  readonly body: string;
}

/** Thrown with the reason, as the end of a sentence that begins with the name of the file. */
export class FrontMatterError extends Error {}

/**
 * Reads the front matter of a `SKILL.md`: a strict subset of YAML, because a whole YAML parser is ten times the code of this entry. A field
 * is a text: plain, in quotes, or a block (`|`, `>`). Fields that are not asked for may be anything: their lines are skipped.
 *
 * @throws FrontMatterError with the line
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== '---')
    throw new FrontMatterError('has no front matter: its first line must be ---, followed by name and description.');
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
  if (end === -1) throw new FrontMatterError('has front matter without an end: close it with a line ---.');
  const fields = readFields(lines.slice(0, end));
  return {
    textOf: (key) => {
      const field = fields.get(key);
      return field && toText(key, field);
    },
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

/** A key with its lines. */
interface Field {
  /** What follows the colon. */
  readonly head: string;
  /** The lines below that belong to the key. */
  readonly rest: string[];
  /** Number of the line, from 1. */
  readonly line: number;
}

function readFields(lines: readonly string[]): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  let last: Field | undefined;
  lines.forEach((text, index) => {
    if (index === 0) return;
    const line = index + 1;
    if (text.startsWith('\t')) throw new FrontMatterError(`begins line ${line} with a tab: YAML indents with spaces.`);
    // Lines of a list may stand below their key without an indentation.
    if (/^( |-( |$)|\s*$)/.test(text)) {
      last?.rest.push(text);
      return;
    }
    if (text.startsWith('#')) return;
    const [, key, head = ''] = /^([\w-]+):(?:\s+(.*))?$/.exec(text) ?? [];
    if (key === undefined) throw new FrontMatterError(`has no \`key: value\` in line ${line}.`);
    if (fields.has(key)) throw new FrontMatterError(`has the key ${key} twice, again in line ${line}.`);
    last = { head: head.trim(), rest: [], line };
    fields.set(key, last);
  });
  return fields;
}

function toText(key: string, { head, rest, line }: Field): string {
  const refuse = (why: string): never => {
    throw new FrontMatterError(
      `has a ${key} in line ${line} that ${why}. Write it in one line, in quotes or as a block (|).`,
    );
  };
  if (/^[|>]/.test(head))
    return /^[|>][+-]?(\s+#.*)?$/.test(head) ? toBlock(head, rest) : refuse('has indentation marks');
  const first = head === '' ? (rest.find((text) => text.trim() !== '')?.trim() ?? '') : head;
  if (/^["']/.test(first)) return unquote(fold([head, ...rest]), refuse);
  if (/^([[{&*!%@`]|- )/.test(first) || (head === '' && /^[\w-]+:\s/.test(first))) return refuse('is not plain text');
  return fold([head, ...rest].map((text) => text.replace(/(^|\s)#.*$/, '')));
}

function unquote(text: string, refuse: (why: string) => never): string {
  const [, single] = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(text) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  const [, double] = /^("(?:[^"\\]|\\.)*")\s*(?:#.*)?$/.exec(text) ?? [];
  if (double === undefined) return refuse('has no closing quote');
  try {
    return String(JSON.parse(double.replaceAll('\n', String.raw`\n`)));
  } catch {
    return refuse('contains an escape that JSON does not have');
  }
}

function toBlock(head: string, rest: readonly string[]): string {
  const indent = /^ */.exec(rest.find((text) => text.trim() !== '') ?? '')?.[0].length ?? 0;
  const lines = rest.map((text) => (text.trim() === '' ? '' : text.slice(indent)));
  return head.startsWith('|') ? lines.join('\n').trim() : fold(lines);
}

/** Joins lines by spaces; an empty line is a line break. */
function fold(lines: readonly string[]): string {
  return lines
    .map((text) => text.trim() || '\n')
    .join(' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();
}
