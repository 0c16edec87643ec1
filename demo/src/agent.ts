import { createAgent } from 'brooklet';
import { withChatSettings } from './chatSettings.ts';
import { client } from './connection.ts';
import { costOfAnswer } from './costs.ts';
import { createToolLoader, present } from './lazyTools.ts';
import { localStore } from './localStore.ts';
import { createSwitchable } from './switchable.ts';

/** Requests to the model that one run may make. After that many the user decides whether the run continues. */
export const maxSteps = 8;

const instructions =
  'You are the agent of Brooklet Studio. You run entirely in this browser tab. Answer briefly, in Markdown. ' +
  'Use your tools where they help: the time, arithmetic, the user’s notes and files in this browser, JavaScript in a sandbox. ' +
  'If you need to know something that only the user knows, ask with ask_user. ' +
  'Tools that change something ask the user for approval first; if the user declines, accept that.';

/** Tokens. Most current models have this window. A model with a smaller one reports an overflow, and older messages are compacted. */
export const contextWindow = 128_000;

/** The whole setup of the demo: the client, and the store of the conversations. The tools are added when they are loaded. */
const studioAgent = createAgent({
  client,
  present,
  maxSteps,
  instructions,
  store: createSwitchable(localStore),
  contextWindow,
  context: { cost: costOfAnswer },
});

/**
 * Resolves when the agent has its tools; with `true`, those of servers and skills, too: await these before a message is sent. `openSession`
 * awaits the former by itself.
 */
export const toolsAdded = createToolLoader(studioAgent);

export const agent = withChatSettings(studioAgent, { instructions, isReady: toolsAdded });
