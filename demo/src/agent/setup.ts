import type { AgentOptions } from 'brooklet';
import { usualSteps } from '../model/answerSettings.ts';
import { costOfAnswer } from '../model/costs.ts';

const instructions =
  'You are the agent of Brooklet Studio. You run entirely in this browser tab. Answer briefly, in Markdown. ' +
  'Use your tools where they help: the time, arithmetic, the user’s notes and files in this browser, JavaScript in a sandbox. ' +
  'If you need to know something that only the user knows, ask with ask_user. ' +
  'Tools that change something ask the user for approval first; if the user declines, accept that.';

/** Tokens. Most current models have this window. A model with a smaller one reports an overflow, and older messages are compacted. */
export const contextWindow = 128_000;

/** What the agent is made of, in a page and in a worker: without store, client, tools and presentation. */
export const setup = {
  maxSteps: usualSteps,
  instructions,
  contextWindow,
  context: { cost: costOfAnswer },
} satisfies AgentOptions;
