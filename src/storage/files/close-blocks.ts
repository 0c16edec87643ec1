/** A block that continues to the end of the document unless a line ends it. */
interface OpenBlock {
  /** The line that ends it. */
  readonly closer: string;
  readonly endsAt: (line: string) => boolean;
}

const fence = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/u;
const listItem = /^( {0,3}(?:[-+*]|\d{1,9}[.)]))( +|$)/u;

/** Blocks of HTML that end at a text, not at an empty line: kinds 1 to 5 of CommonMark, section 4.6. One of kind 1 ends at its own tag: not every reader takes another. */
const rawHTML: readonly (readonly [start: RegExp, end: RegExp, closer: string])[] = [
  ...['script', 'pre', 'style', 'textarea'].map(
    (tag) => [new RegExp(`^<${tag}(?:[\\s>]|$)`, 'iu'), new RegExp(`</${tag}>`, 'iu'), `</${tag}>`] as const,
  ),
  [/^<!--/u, /-->/u, '-->'],
  [/^<\?/u, /\?>/u, '?>'],
  [/^<!\[CDATA\[/u, /\]\]>/u, ']]>'],
  [/^<![a-z]/iu, />/u, '>'],
];

/** Blocks of HTML that end at an empty line: kind 6, and kind 7, which is a whole tag alone in a line. */
const kind6 =
  /^<\/?(?:address|article|aside|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[\s>]|\/>|$)/iu;
const kind7 = /^<(?:[a-z][a-z\d-]*(?:\s[^<>]*)?|\/[a-z][a-z\d-]*\s*)>\s*$/iu;
const untilEmptyLine: OpenBlock = { closer: '', endsAt: (line) => line.trim() === '' };

/** A line after which a paragraph does not continue. */
const endsParagraph = /^ {0,3}(?:#{1,6}(?:\s|$)|>|(?:[-*_=] *){3,}$|[-=]+ *$)/u;

/**
 * Returns a Markdown text that what follows it is not a part of: a block of code or of HTML that is still open at its end is closed. Blocks within
 * lists and quotes end with these.
 */
export function closeBlocks(text: string): string {
  let open: OpenBlock | undefined;
  /** In the list item or the quote around. */
  let inner: OpenBlock | undefined;
  /** Columns at which the text of the list item around begins; 0 outside of a list. */
  let indent = 0;
  /** Whether the line before begins an item, and has no text. */
  let isBare = false;
  let isQuote = false;
  let isParagraph = false;
  /** Whether a line that opens no block belongs to the paragraph of a list item or of a quote. */
  let isLazy = false;
  const enter = (line: string): void => {
    const before = inner;
    inner = before ? (before.endsAt(line) ? undefined : before) : blockAt(line, isLazy);
    isLazy = before === undefined && inner === undefined && line.trim() !== '' && !endsParagraph.test(line);
  };
  for (const line of text.split('\n').map(withoutTabs)) {
    if (open) {
      if (open.endsAt(line)) open = undefined;
    } else if (line.trim() === '') {
      isParagraph = false;
      isQuote = false;
      if (indent > 0) enter('');
      // An item without a text ends at an empty line.
      if (isBare) indent = 0;
      isLazy = false;
    } else if (indent > 0 && line.search(/\S/u) >= indent) {
      isBare = false;
      enter(line.slice(indent));
    } else {
      const item = indentIn(line, isParagraph);
      open = item === 0 ? blockAt(line, isParagraph || isLazy) : undefined;
      const isText: boolean = item === 0 && open === undefined && !endsParagraph.test(line) && !isHTML(line);
      // The paragraph of a list item continues without its indentation.
      if (isLazy && isText) continue;
      const quote = item === 0 && open === undefined ? /^ {0,3}> ?/u.exec(line)?.[0] : undefined;
      if (quote === undefined || !isQuote) {
        inner = undefined;
        isLazy = false;
      }
      isQuote = quote !== undefined;
      indent = item;
      isBare = item > 0 && line.slice(item).trim() === '';
      isParagraph = isText && (isParagraph || !line.startsWith('    '));
      if (item > 0) enter(line.slice(item));
      else if (quote !== undefined) enter(line.slice(quote.length));
    }
  }
  return open && open.closer !== '' ? `${text}\n${open.closer}` : text;
}

/** Returns the columns at which the text of a list item begins; 0 for a line without one. An empty item, or one that is not the first, ends no paragraph. */
function indentIn(line: string, isParagraph: boolean): number {
  const [found, marker = '', space = ''] = listItem.exec(line) ?? [];
  if (found === undefined || /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,})$/u.test(line)) return 0;
  if (isParagraph && (found.length === line.length || (/\d/u.test(marker) && !/^ *1[.)]/u.test(marker)))) return 0;
  // Five spaces are one, and a block of code.
  return marker.length + (space.length > 4 || space === '' ? 1 : space.length);
}

/** Whether a line is a whole block of HTML, or begins one that ends at a text. */
const isHTML = (line: string): boolean =>
  /^ {0,3}</u.test(line) && rawHTML.some(([start]) => start.test(line.trimStart()));

function blockAt(line: string, isParagraph: boolean): OpenBlock | undefined {
  const [, ticks, waves] = fence.exec(line) ?? [];
  const run = ticks ?? waves;
  if (run !== undefined) {
    const isEnd = new RegExp(`^ {0,3}${run[0]}{${run.length},} *$`, 'u');
    return { closer: run, endsAt: (later) => isEnd.test(later) };
  }
  if (line.startsWith('    ')) return undefined;
  const html = line.trimStart();
  const [, end, closer = ''] = rawHTML.find(([start]) => start.test(html)) ?? [];
  // What begins a comment may also end it.
  if (end) return end.test(html) ? undefined : { closer, endsAt: (later) => end.test(later) };
  return kind6.test(html) || (!isParagraph && kind7.test(html)) ? untilEmptyLine : undefined;
}

/** Returns a line with spaces in the place of the tabs before its text. */
function withoutTabs(line: string): string {
  return line.replace(/^(?: |\t|[-+*](?=\t)|\d{1,9}[.)](?=\t))+/u, (start) => {
    let columns = '';
    for (const character of start) columns += character === '\t' ? ' '.repeat(4 - (columns.length % 4)) : character;
    return columns;
  });
}
