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
 * Reads the front matter of a `SKILL.md`: a subset of YAML 1.2, because a whole YAML parser is ten times the code of this entry. A field is a
 * text: plain, in quotes, or a block (`|`, `>`). `true`, `null` and numbers are texts. Fields that are not read may be anything: their lines
 * are skipped. Invariant: a field has the text that YAML gives it, or is refused; only a plain text with a colon and a space, which is a
 * mistake in YAML, is accepted.
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
    // Lines of a list may stand below their key without an indentation. A comment ends a text.
    if (/^( |#|-( |$)|\s*$)/.test(text)) {
      last?.rest.push(text);
      return;
    }
    const [, key, head = ''] = /^([\w-]+):(?:\s+(.*))?$/.exec(text) ?? [];
    if (key === undefined) throw new FrontMatterError(`has no \`key: value\` in line ${line}.`);
    if (fields.has(key)) throw new FrontMatterError(`has the key ${key} twice, again in line ${line}.`);
    last = { head: head.trim(), rest: [], line };
    fields.set(key, last);
  });
  return fields;
}

type Refuse = (why: string) => never;

function toText(key: string, { head, rest, line }: Field): string {
  const refuse = (why: string): never => {
    throw new FrontMatterError(
      `has a ${key} in line ${line} that ${why}. Write it in one line, in quotes or as a block (|).`,
    );
  };
  if (/^[|>]/.test(head))
    return /^[|>][+-]?(\s+#.*)?$/.test(head) ? toBlock(head, rest, refuse) : refuse('has indentation marks');
  const lines = [head, ...rest];
  const start = lines.findIndex((text) => !isBlank(text));
  const first = lines[start]?.trim() ?? '';
  // A colon in the line of the key is the mistake that most plain texts have. Below the key it begins another mapping.
  if (/^([[\]{},&*!%@`|>]|[-?:](\s|$))/.test(first) || (start > 0 && /^[^"'].*:(\s|$)/.test(first)))
    return refuse('is not plain text');
  const text = lines.slice(start).join('\n').trim();
  return /^["']/.test(first) ? unquote(text, refuse) : toPlain(text, refuse);
}

/** Whether a line has no text: it is empty, or a comment. */
function isBlank(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

function toPlain(text: string, refuse: Refuse): string {
  const lines = text.split('\n');
  const end = lines.findLastIndex((line) => !isBlank(line)) + 1;
  const used = lines.slice(0, end);
  if (used.some((line, index) => index < end - 1 && /(^|\s)#/.test(line))) return refuse('continues below a comment');
  return fold(indented(used.join('\n'), refuse))
    .replace(/\s#.*$/, '')
    .trim();
}

function unquote(text: string, refuse: Refuse): string {
  const [, single, double] =
    /^(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\[^])*)")(?:[ \t]+#.*)?(?:\n[ \t]*(?:#.*)?)*$/.exec(text) ?? [];
  if (single !== undefined) return fold(indented(single, refuse)).replaceAll("''", "'");
  if (double === undefined) return refuse('has no closing quote');
  try {
    return String(JSON.parse(`"${fold(indented(double, refuse)).replaceAll('\n', String.raw`\n`)}"`));
  } catch (error) {
    if (error instanceof FrontMatterError) throw error;
    return refuse('contains an escape that JSON does not have');
  }
}

function indented(text: string, refuse: Refuse): string {
  return /\n[^ \n]/.test(text) ? refuse('has a line without an indentation') : text;
}

function toBlock(head: string, rest: readonly string[], refuse: Refuse): string {
  const indent = /^ */.exec(rest.find((text) => text.trim() !== '') ?? '')?.[0].length ?? 0;
  const isWithin = (text: string): boolean => text.trim() === '' || (indent > 0 && text.startsWith(' '.repeat(indent)));
  const after = rest.findIndex((text) => !isWithin(text));
  const lines = after < 0 ? rest : rest.slice(0, after);
  if (rest.slice(lines.length).some((text) => !isBlank(text)))
    return refuse('has a line that is indented less than its first one');
  const text = lines.map((line) => line.slice(indent)).join('\n');
  return (head.startsWith('|') ? text : foldBlock(text)).trim();
}

/** Joins lines by spaces; n empty lines between them are n line breaks (YAML 1.2, 6.5). */
function fold(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t\n]*/g, (gap) => '\n'.repeat(gap.split('\n').length - 2) || ' ');
}

/** Folds a block: lines that are indented further keep their line breaks (YAML 1.2, 8.1.3). */
function foldBlock(text: string): string {
  return text.replaceAll(
    /(^\S.*)\n(\n*)(?=\S)/gm,
    (_all, line: string, breaks: string) => line + (breaks === '' ? ' ' : breaks),
  );
}
