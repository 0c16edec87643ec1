/** The sentences of the page around the review, in English. */
export const en = {
  /** For the attribute `lang`. */
  locale: 'en-GB',

  opening: 'Opening the log…',
  unreadable: 'The log of this file cannot be read',
  problem: (line: number, field: string, reason: string): string =>
    `Line ${line} of the log: ${field || 'the line'} ${reason}.`,
  damaged: (problem: string): string => `Shown up to a damaged place. ${problem}`,

  masked: (left: readonly string[]): string => `Left out of this file: ${left.join(', ') || 'nothing'}.`,
  maskedParts: {
    attachments: 'attachments',
    toolOutputs: 'outputs of tools',
    instructions: 'instructions',
    patterns: (count: number): string => `what matches ${count === 1 ? 'a pattern' : `${count} patterns`}`,
  },
};

/** The sentences of the page around the review in one language. */
export type ViewerTexts = typeof en;
