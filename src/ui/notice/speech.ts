/** The words for what cannot be read aloud. */
export interface SpeechWords {
  readonly codeSpoken: (language: string) => string;
}

const fence = /^ {0,3}(`{3,}|~{3,})/u;
/** The end of a sentence: a mark and a space after it, a mark of Chinese or Japanese, or the end of a line. */
const sentenceEnd = /[.!?…]["”’»)\]*_`]*(?=\s)|[。！？][”’」』）]*|\n/gu;

/** Returns the number of characters at the start of a growing text that are whole sentences. A block of code counts when it is complete. */
export function countFinished(text: string): number {
  let end = 0;
  let open: string | undefined;
  let at = 0;
  for (const line of text.split(/(?<=\n)/u)) {
    const mark = fence.exec(line)?.[1];
    if (open === undefined) {
      if (mark !== undefined) open = mark;
      else for (const found of line.matchAll(sentenceEnd)) end = at + found.index + found[0].length;
    } else if (mark?.startsWith(open) && line.endsWith('\n')) {
      open = undefined;
      end = at + line.length;
    }
    at += line.length;
  }
  return end;
}

const rules: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/gu, '$1'],
  [/!?\[([^\]]*)\]\[[^\]]*\]/gu, '$1'],
  [/<(?:https?:\/\/|mailto:)([^>/]*)[^>]*>/gu, '$1'],
  [/^\s*(?:[-*_]\s*){3,}$/gmu, ''],
  [/^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/gmu, ''],
  [/^[ \t]*(?:>[ \t]?)+/gmu, ''],
  [/^[ \t]*#{1,6}[ \t]+/gmu, ''],
  [/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gmu, ''],
  [/^[ \t]*\|(.*)\|[ \t]*$/gmu, '$1'],
  [/\s\|\s/gu, ', '],
  [/(?<!\s)\*{1,3}|\*{1,3}(?!\s)|~~|`+/gu, ''],
  [/(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])/gu, ''],
  [/\s+/gu, ' '],
];

/** Returns Markdown as a screen reader should read it: without marks and addresses, and with a word in the place of code. */
export function toSpeech(markdown: string, words: SpeechWords): string {
  const prose = markdown.replaceAll(
    /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gmu,
    (_block, _mark: string, language: string) => `\n${words.codeSpoken(language)}\n`,
  );
  return rules.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), prose).trim();
}
