/** A part of a Markdown text that is rendered by itself. */
export type Block =
  | { readonly kind: 'markdown'; readonly text: string }
  /** A fence at the left margin. `isClosed` is false until its end has arrived. */
  | { readonly kind: 'code'; readonly language: string; readonly text: string; readonly isClosed: boolean }
  /** `[^label]: text` */
  | { readonly kind: 'footnote'; readonly label: string; readonly text: string };

/** The result of `toBlocks`. */
export interface Blocks {
  readonly blocks: readonly Block[];
  /** The link definitions of the whole text (`[a]: https://…`) by their label: a block may refer to a definition in another block. */
  readonly definitions: ReadonlyMap<string, string>;
}

const fence = /^( {0,3})(`{3,}|~{3,})(.*)$/u;
const innerFence = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*(`{3,}|~{3,})/u;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/u;
const bullet = /^[-*+](?:\s|$)/u;
/** A line that begins a formula of several lines, which may have empty ones. */
const formula = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*(\$\$|\\\[)\s*$/u;
/** Characters of a bulleted list after which its next item begins a new block, so that a growing list is not parsed as a whole. */
const maxList = 2_000;
const definition = /^ {0,3}\[(?!\^)([^\]]+)\]:/u;
const reference = /\[((?:\\.|[^[\]\\])+)\]/gu;
const footnote = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*(.*)$/u;

/**
 * Splits a growing Markdown text at the blank lines between its blocks, so that finished blocks need not be parsed again.
 * Invariant: when the text grows, only the last blocks change. Numbered lists stay whole, and bulleted ones up to `maxList`.
 */
export function toBlocks(source: string): Blocks {
  const blocks: Block[] = [];
  const definitions = new Map<string, string>();
  let lines: string[] = [];
  let blank = false;
  let list = false;
  /** The label of the footnote that the block is. */
  let note: string | undefined;
  /** Characters of the block. */
  let size = 0;
  /** The marker that ends a fence or a formula within the block. */
  let inner: string | undefined;

  const flush = (): void => {
    while (lines.at(-1) === '') lines.pop();
    const text = lines.join('\n');
    if (note !== undefined) blocks.push({ kind: 'footnote', label: note, text });
    else if (lines.length > 0) blocks.push({ kind: 'markdown', text });
    lines = [];
    blank = false;
    list = false;
    note = undefined;
    size = 0;
    inner = undefined;
  };

  const all = source.split(/\r\n|\n|\r/u);
  for (let at = 0; at < all.length; at += 1) {
    const line = all[at] ?? '';
    if (inner !== undefined) {
      lines.push(line);
      size += line.length;
      if (inner === '$$' || inner === '\\]' ? line.includes(inner) : closes(line.trimStart(), inner)) inner = undefined;
      continue;
    }
    if (line.trim() === '') {
      blank = lines.length > 0;
      if (blank) lines.push('');
      continue;
    }
    const [, label, content = ''] = footnote.exec(line) ?? [];
    if (label !== undefined) {
      flush();
      note = label;
      lines.push(content);
      continue;
    }
    if (note !== undefined && (!blank || /^(?: {2,}|\t)/u.test(line))) {
      blank = false;
      lines.push(line.replace(/^(?: {1,4}|\t)/u, ''));
      continue;
    }
    const isLong = size > maxList && bullet.test(line) && bullet.test(lines[0] ?? '');
    const isContinued = list && !isLong && (/^\s/u.test(line) || listItem.test(line));
    if ((blank || (list && isLong)) && !isContinued) flush();
    blank = false;

    const opening = isContinued ? null : fence.exec(line);
    const [, , mark = '', info = ''] = opening ?? [];
    if (opening && !(mark.startsWith('`') && info.includes('`'))) {
      flush();
      const end = endOfFence(all, at + 1, mark);
      blocks.push({
        kind: 'code',
        language: info.trim().split(/\s/u)[0] ?? '',
        text: all.slice(at + 1, end).join('\n'),
        isClosed: end < all.length,
      });
      at = end;
      continue;
    }

    inner = innerFence.exec(line)?.[1] ?? formula.exec(line)?.[1]?.replace('[', ']');
    if (lines.length === 0) list = listItem.test(line);
    const name = toLabel(definition.exec(line)?.[1] ?? '');
    // The first definition of a label applies.
    if (name !== '' && !definitions.has(name)) definitions.set(name, line.trim());
    lines.push(line);
    size += line.length;
  }
  flush();
  return { blocks, definitions };
}

/** Returns the definitions to which a block may refer, as Markdown. */
export function definitionsFor({ kind, text }: Block, definitions: Blocks['definitions']): string {
  if (kind === 'code' || definitions.size === 0) return '';
  const labels = new Set(Array.from(text.matchAll(reference), ([, label = '']) => toLabel(label)));
  return [...labels].flatMap((label) => definitions.get(label) ?? []).join('\n');
}

/** Labels match regardless of case and of the kind of spaces. */
function toLabel(written: string): string {
  return written.trim().replaceAll(/\s+/gu, ' ').toLowerCase().toUpperCase();
}

function endOfFence(lines: readonly string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at += 1)
    if (closes((lines[at] ?? '').replace(/^ {0,3}/u, ''), mark)) return at;
  return lines.length;
}

function closes(line: string, mark: string): boolean {
  const text = line.trimEnd();
  return text.length >= mark.length && [...text].every((character) => character === mark[0]);
}
