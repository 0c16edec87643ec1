import { createAgent } from 'brooklet';
import { usualSteps } from '../model/answerSettings.ts';
import { withChatSettings } from '../model/chatSettings.ts';
import { costOfAnswer } from '../model/costs.ts';
import { followConnection } from '../model/followConnection.ts';
import { createToolLoader, present } from './lazyTools.ts';
import { withForkNote } from '../sessions/forks.ts';
import { withNote } from '../sessions/titleChats.ts';
import { store } from '../devices/store.ts';

const instructions =
  'You are the agent of Brooklet Studio. You run entirely in this browser tab. Answer briefly, in Markdown. ' +
  'Use your tools where they help: the time, arithmetic, the user’s notes and files in this browser, JavaScript in a sandbox. ' +
  'If you need to know something that only the user knows, ask with ask_user. ' +
  'Tools that change something ask the user for approval first; if the user declines, accept that.';

/** Tokens. Most current models have this window. A model with a smaller one reports an overflow, and older messages are compacted. */
export const contextWindow = 128_000;

/** The whole setup of the demo, without a client and without tools: both are added when they are loaded. */
const studioAgent = createAgent({
  present,
  maxSteps: usualSteps,
  instructions,
  store,
  contextWindow,
  context: { cost: costOfAnswer },
});

/**
 * Resolves when the agent has its tools; with `true`, those of servers and skills, too: await these before a message is sent. `openSession`
 * awaits the former by itself.
 */
export const toolsAdded = createToolLoader(studioAgent);

/** Resolves when the agent has the client of the chosen model: await it before a request is made. Never rejects. */
export const clientSet = followConnection({
  setClient: (client, options) => studioAgent.setClient(client && withNote(client), options),
});

export const agent = withForkNote(
  withChatSettings(studioAgent, {
    instructions,
    isReady: async () => void (await Promise.all([toolsAdded(), clientSet()])),
  }),
);
