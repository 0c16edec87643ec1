import { type Agent, createAgent } from 'brooklet';
import { withChatSettings } from '../model/chatSettings.ts';
import { followConnection } from '../model/followConnection.ts';
import { whyHere } from '../model/outliving.ts';
import { createToolLoader, present } from './lazyTools.ts';
import { withForkNote } from '../sessions/forks.ts';
import { withNote } from '../sessions/titleChats.ts';
import { store } from '../devices/store.ts';
import type { Parts } from './parts.ts';
import { setup } from './setup.ts';

/** The whole setup of the demo, without a client and without tools: both are added when they are loaded. */
function createHere(): Parts {
  const agent = createAgent({ ...setup, present, store });
  return {
    agent,
    toolsAdded: createToolLoader(agent),
    clientSet: followConnection({
      setClient: (client, options) => agent.setClient(client && withNote(client), options),
    }),
  };
}

let parts: Parts | undefined;

/** Resolves with the agent of this page: one that a worker drives where the user wants that. Call it once, before the page is shown. */
export async function startAgent(): Promise<Agent> {
  const isHere = whyHere() !== undefined;
  const made = isHere
    ? createHere()
    : await import('./connected.ts').then(({ createConnected }) => createConnected(), createHere);
  parts = made;
  return withForkNote(
    withChatSettings(made.agent, {
      instructions: setup.instructions,
      isReady: async () => void (await Promise.all([toolsAdded(), clientSet()])),
    }),
  );
}

/**
 * Resolves when the agent has its tools; with `true`, those of servers and skills, too: await these before a message is sent. `openSession`
 * awaits the former by itself.
 */
export const toolsAdded = async (all?: boolean): Promise<void> => parts?.toolsAdded(all);

/** Resolves when the agent has the client of the chosen model: await it before a request is made. Never rejects. */
export const clientSet = async (): Promise<void> => parts?.clientSet();
