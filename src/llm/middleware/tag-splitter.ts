/** Takes the text of an answer in pieces, and emits it as text and reasoning. */
export interface TagSplitter {
  push(piece: string): void;
  /** Emits what is held back: something else follows, or nothing. */
  flush(): void;
}

export interface TagSplitterOptions {
  /** Whether the answer begins inside the reasoning. */
  readonly begins: 'inside' | 'outside' | 'unknown';
  /** Called with text that is not empty. */
  readonly emit: (type: 'text' | 'reasoning', text: string) => void;
  /** Called when the answer begins with an opening tag. */
  readonly onOpened: () => void;
}

const names = 'think|thinking|thought|reasoning|seed:think';
const openTag = new RegExp(`<(?:${names})>|\\[THINK\\]|◁think▷`, 'g');
const closeTag = new RegExp(`</(?:${names})>|\\[/THINK\\]|◁/think▷`, 'g');
/** Characters of the longest tag, less one. */
const longest = '</seed:think>'.length - 1;
const quotes = /["'`“‘]/;

/**
 * Creates the splitter of one answer. States: `unknown` (nothing decided, all held back), `text`, `reasoning`, and `maybe` (an opening tag
 * in the midst of the text, held back with what follows until something closes it). Each character is read a bounded number of times.
 */
export function createTagSplitter({ begins, emit, onOpened }: TagSplitterOptions): TagSplitter {
  let state: 'unknown' | 'text' | 'reasoning' | 'maybe' =
    begins === 'inside' ? 'reasoning' : begins === 'outside' ? 'text' : 'unknown';
  /** Not read yet. */
  let buffer = '';
  /** Read, and held back. */
  const held: string[] = [];
  /** The opening tag that `held` follows. */
  let tag = '';
  let isBlank = true;
  /** The character before the buffer. */
  let last = '';
  const code = createCodeTracker();

  function say(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    if (type === 'text') {
      code.read(text);
      isBlank &&= text.trim() === '';
    }
    emit(type, text);
  }

  /** Emits what is held back, and returns to the text. */
  function release(type: 'text' | 'reasoning'): void {
    const text = (type === 'text' ? tag : '') + held.splice(0).join('');
    tag = '';
    say(type, text);
  }

  /** Takes `length` characters of the buffer into the present state. */
  function take(length: number): void {
    const text = buffer.slice(0, length);
    buffer = buffer.slice(length);
    last = text.slice(-1) || last;
    if (state === 'text' || state === 'reasoning') say(state, text);
    else if (text !== '') held.push(text);
  }

  /**
   * Reads up to the next tag, and the tag. Returns how many characters at the end of the buffer must wait for more, where no tag was read.
   *
   * @param isEnd whether no text follows
   */
  function readTag(isEnd: boolean): number | undefined {
    const isOutside = state === 'text' || state === 'unknown';
    const opening = isOutside ? search(openTag, buffer) : undefined;
    const closing = state === 'text' ? undefined : search(closeTag, buffer);
    const next = opening && (!closing || opening.index < closing.index) ? opening : closing;
    if (next === undefined) return isEnd ? 0 : halfTag(buffer);
    const { 0: found, index } = next;
    const before = buffer.slice(0, index).slice(-1) || last;
    if (next === opening) readOpening(found, index, before);
    else {
      const after = buffer.slice(index + found.length).slice(0, 1);
      // The next character decides whether the tag is a quotation.
      if (quotes.test(before) && after === '' && !isEnd) return buffer.length - index;
      readClosing(found, index, isQuotation(before, after));
    }
    return undefined;
  }

  function readOpening(found: string, index: number, before: string): void {
    const isFirst = isBlank && [...held, buffer.slice(0, index)].every((text) => text.trim() === '');
    if (!isFirst && state === 'unknown') {
      // The answer begins with text. The tag is read again.
      state = 'text';
      release('text');
      return;
    }
    take(index);
    buffer = buffer.slice(found.length);
    last = '>';
    if (isFirst) {
      state = 'text';
      release('text');
      onOpened();
      state = 'reasoning';
    } else if (code.isInside || quotes.test(before)) say('text', found);
    else {
      state = 'maybe';
      tag = found;
    }
  }

  function readClosing(found: string, index: number, isQuoted: boolean): void {
    if (isQuoted) return take(index + found.length);
    take(index);
    buffer = buffer.slice(found.length);
    last = '>';
    if (state !== 'reasoning') release('reasoning');
    state = 'text';
  }

  /** Reads all tags of the buffer. */
  function read(isEnd: boolean): void {
    let wait: number | undefined;
    do wait = readTag(isEnd);
    while (wait === undefined);
    take(buffer.length - wait);
  }

  return {
    push(piece) {
      buffer += piece;
      read(false);
    },
    flush() {
      read(true);
      if (state === 'unknown' || state === 'maybe') {
        state = 'text';
        release('text');
      }
    },
  };
}

/** Returns how many characters at the end may be the beginning of a tag. */
function halfTag(text: string): number {
  const end = text.slice(-longest);
  const start = end.search(/[<[◁][^>\]▷]*$/);
  return start === -1 ? 0 : end.length - start;
}

function search(pattern: RegExp, text: string): RegExpExecArray | undefined {
  pattern.lastIndex = 0;
  return pattern.exec(text) ?? undefined;
}

/** Whether a tag stands between these two characters as a quotation. */
function isQuotation(before: string, after: string): boolean {
  return quotes.test(before) && after === ({ '“': '”', '‘': '’' }[before] ?? before);
}

/** Follows code through text that arrives in pieces: fences at the beginning of a line, and backticks within a line. */
function createCodeTracker(): { read(text: string): void; readonly isInside: boolean } {
  let isFenced = false;
  let isInline = false;
  /** Backticks at the end of what was read; −1 where the line began with other characters. */
  let ticks = 0;
  let isLineStart = true;
  return {
    get isInside() {
      return isFenced || isInline !== (ticks > 0 && ticks < 3);
    },
    read(text) {
      for (const char of text) {
        if (char === '`') {
          ticks += 1;
          continue;
        }
        if (ticks >= 3 && isLineStart) isFenced = !isFenced;
        else if (ticks > 0 && !isFenced) isInline = !isInline;
        if (ticks > 0) isLineStart = false;
        ticks = 0;
        if (char === '\n') {
          isLineStart = true;
          isInline = false;
        } else if (char !== ' ') isLineStart = false;
      }
    },
  };
}
