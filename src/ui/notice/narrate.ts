import type { AgentSession } from '../../index.ts';
import { extractTextContent, type Message, type SessionStatus, toolParts } from '../../core/model/index.ts';
import type { Labels } from '../labels/english.ts';
import type { Say } from './say.ts';
import { countFinished, toSpeech } from './speech.ts';

/** The words of a narration. */
export interface Words extends Pick<Labels, 'announcer'> {
  /** The name of a tool as a person reads it. */
  readonly title: (name: string) => string;
}

/** Says what happens in a session from now on: each sentence of an answer when it is complete, and what the agent asks. Returns a function that stops it. */
export function narrate(session: AgentSession, words: Words, say: Say): () => void {
  let reply = lastReply(session.getMessages());
  /** Characters of the reply that have been said. */
  let said = reply === undefined ? 0 : extractTextContent(reply).length;
  let status = session.getStatus();

  const sayUpTo = (message: Message, isComplete: boolean): void => {
    const rest = extractTextContent(message).slice(said);
    const count = isComplete ? rest.length : countFinished(rest);
    said += count;
    say(toSpeech(rest.slice(0, count), words.announcer));
  };
  const onMessages = (messages: readonly Message[]): void => {
    const last = lastReply(messages);
    if (last === undefined || last === reply) return;
    if (last.id !== reply?.id) {
      const before = messages.find(({ id }) => id === reply?.id);
      if (before) sayUpTo(before, true);
      said = 0;
    }
    reply = last;
    sayUpTo(last, last.status !== 'streaming');
  };
  const onStatus = (next: SessionStatus): void => {
    if (next === status) return;
    status = next;
    onMessages(session.getMessages());
    say(describe(session, next, words));
  };

  const subscription = session.messages$.subscribe(onMessages);
  subscription.add(session.status$.subscribe(onStatus));
  return () => subscription.unsubscribe();
}

const lastReply = (messages: readonly Message[]): Message | undefined =>
  messages.findLast(({ role }) => role === 'assistant');

function describe(session: AgentSession, status: SessionStatus, { announcer, title }: Words): string {
  switch (status) {
    case 'running':
      return announcer.working;
    case 'waiting': {
      const calls = session.getMessages().flatMap((message) => toolParts(message));
      const awaiting = calls.filter((call) => call.status === 'awaiting-approval');
      const questions = awaiting.flatMap(({ approval }) => {
        const asked = approval?.elicitation?.['title'];
        return typeof asked === 'string' && asked !== '' ? [asked] : [];
      });
      return questions.length > 0
        ? announcer.asks(questions.join(' '))
        : announcer.asksDecision(awaiting.map(({ name }) => title(name)).join(announcer.and));
    }
    case 'limit':
      return announcer.paused;
    case 'idle':
      return session.getState().run?.outcome === 'cancelled' ? announcer.stopped : '';
    case 'failed':
    case 'interrupted':
      // The notice below the messages is an alert.
      return '';
  }
}
