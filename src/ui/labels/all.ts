import { chatEnglish, type Labels } from './english.ts';
import { contextEnglish } from './context-english.ts';
import { keyEnglish } from './key-english.ts';
import { modelEnglish } from './model-english.ts';
import { sessionsEnglish } from './sessions-english.ts';

/** The English texts of all parts. `chinese` has the same texts in Chinese, and a page may pass others as `labels`. */
export const english: Labels = {
  ...chatEnglish,
  sessions: sessionsEnglish,
  model: modelEnglish,
  key: keyEnglish,
  context: contextEnglish,
};
