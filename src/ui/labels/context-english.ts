const compact = (value: number): string =>
  value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 });

export const contextEnglish = {
  label: (percent: number): string => `Context: ${percent} % in use`,
  title: 'Context',
  percent: (percent: number): string => `${percent} %`,
  used: (percent: number): string => `${percent} % in use`,
  of: (used: number, usable: number): string => `${compact(used)} of ${compact(usable)} tokens`,
  tokens: (value: number): string => compact(value),
  explained: 'What the model reads with your next message.',
  next: (tokens: number): string => `After ${compact(tokens)} more tokens, older messages are shortened for the model.`,
  nextNow: 'Older messages are shortened for the model before the next answer.',
  paused: 'Summing up has failed several times. It is tried again when a message does not fit.',
  never: 'Nothing is shortened here: a message that does not fit is refused.',
  zones: {
    immutable: 'Instructions and tools',
    compressed: 'Summary and pinned',
    incremental: 'Messages',
    scratch: 'Notes for this request',
  },
  session: 'This conversation so far',
  tokensIn: 'Tokens read',
  tokensOut: 'Tokens written',
  cost: 'Cost',
  dollars: (cost: number): string => (cost > 0 && cost < 0.01 ? 'less than $0.01' : `$${cost.toFixed(2)}`),
  compactNow: 'Sum up now',
  compacting: 'Summing up…',
  compactions: 'Summed up',
  compaction: (before: number, after: number): string => `${compact(before)} → ${compact(after)} tokens`,
  undo: 'Undo',
  undoOf: (compaction: string): string => `Undo: ${compaction}`,
  pinned: 'Pinned messages',
  unpin: 'Unpin',
  unpinOf: (text: string): string => `Unpin “${text}”`,
  failure: 'The last summary failed.',
  close: 'Close',
};

/** The texts of `ContextMeter`. */
export type ContextLabels = typeof contextEnglish;
