import { type AgentSession, extractTextContent, type Message, type SessionStatus, toolParts } from 'brooklet';
import { textIn } from '../json.ts';
import type { Texts } from '../texts/en/en.ts';
import { countFinished, toSpeech } from './speech.ts';
import { titleOf } from './titleOf.ts';

/** Says what happens in a session from now on: each sentence of an answer when it is complete, and what the agent asks. Returns a function that stops it. */
export function narrate(session: AgentSession, words: Texts, say: (text: string) => void): () => void {
  /** By the id of the reply: the characters that have been said. */
  let reply = lastReply(session.getMessages());
  let said = reply === undefined ? 0 : extractTextContent(reply).length;
  let status = session.getStatus();

  const sayUpTo = (message: Message, isComplete: boolean): void => {
    const rest = extractTextContent(message).slice(said);
    const count = isComplete ? rest.length : countFinished(rest);
    said += count;
    say(toSpeech(rest.slice(0, count), words.conversation));
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

function describe(session: AgentSession, status: SessionStatus, words: Texts): string {
  const { conversation } = words;
  switch (status) {
    case 'running':
      return conversation.working;
    case 'waiting': {
      const calls = session.getMessages().flatMap(toolParts);
      const awaiting = calls.filter((call) => call.status === 'awaiting-approval');
      const questions = awaiting.flatMap(({ approval }) => textIn(approval?.elicitation, 'title') || []);
      return questions.length > 0
        ? conversation.asks(questions.join(' '))
        : conversation.asksDecision(awaiting.map(({ name }) => titleOf(words, name)).join(conversation.and));
    }
    case 'limit':
      return conversation.paused;
    case 'idle':
      return session.getState().run?.outcome === 'cancelled' ? conversation.stopped : '';
    case 'failed':
    case 'interrupted':
      // The notice below the conversation is an alert.
      return '';
  }
}
