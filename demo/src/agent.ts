import { type AgentError, createAgent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { BehaviorSubject } from 'rxjs';
import { client } from './connection.ts';
import { present } from './present.ts';
import { tools } from './tools/tools.ts';

/** What the page has to say about its storage before anything has failed: another tab blocks it, say. */
export const storageTrouble$ = new BehaviorSubject<AgentError | undefined>(undefined);

/** Requests to the model that one run may make; then the person says whether it goes on. */
export const maxSteps = 8;

/** The whole set-up of the demo: who answers, what it may do, where conversations are kept. */
export const agent = createAgent({
  client,
  tools,
  present,
  maxSteps,
  store: createIndexedDBStore({
    name: 'brooklet-studio',
    onWarning: (trouble) => storageTrouble$.next(trouble),
  }),
  // Most models of today take this much, and one that takes less says so: then older messages are folded all the same.
  contextWindow: 128_000,
  instructions:
    'You are the agent of Brooklet Studio. You run wholly in this browser tab. Answer in Markdown, briefly. ' +
    'Use your tools where they help: the time, arithmetic, the notes and files that the person keeps in this browser, JavaScript in a sandbox. ' +
    'Where you need to know something that only the person can tell, ask them with ask_user. ' +
    'What changes something asks the person first; if they decline, accept it.',
});
