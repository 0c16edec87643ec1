import { type AnswerSettings, readAnswerSettings } from './answerSettings.ts';
import { parseObject } from '../base/json.ts';
import { createStored } from '../base/stored.ts';

/** What holds for every chat that has nothing else of its own. */
export interface Defaults extends AnswerSettings {
  /** Added to the agent's own instructions. */
  readonly instructions: string;
}

/** The most characters of the instructions for all chats. */
export const maxDefaultInstructions = 10_000;

/** In localStorage: this browser, all tabs. */
export const defaults = createStored<Defaults>('brooklet-studio:answers', {
  read: (text) => {
    const stored = parseObject(text ?? '') ?? {};
    const { instructions } = stored;
    return {
      ...readAnswerSettings(stored),
      instructions: typeof instructions === 'string' ? instructions.slice(0, maxDefaultInstructions) : '',
    };
  },
  write: (value) => JSON.stringify(value),
});
