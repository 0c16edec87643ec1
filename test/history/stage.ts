import { type AgentSession, createAgent, extractTextContent, type Message, type SessionStore } from 'brooklet';
import { createMemoryStore, importHistory, type ImportHistoryOptions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';

/** Imports a file, and opens its first session. */
export async function imported(source: string | Blob, options: ImportHistoryOptions = {}, store = createMemoryStore()) {
  const report = await importHistory(store, source, { timestamp: 1_000, ...options });
  const [first] = report.conversations;
  if (!first) throw new Error('no conversation');
  const session = await open(store, first.sessionId);
  return { store, report, session };
}

export function open(store: SessionStore, sessionId: string): Promise<AgentSession> {
  return createAgent({ client: createScriptedClient([[reply.text('Later')]]), store }).openSession(sessionId);
}

/** Returns the role of each message and what it contains. */
export function shown(messages: readonly Message[]): readonly (readonly string[])[] {
  return messages.map(({ role, content }) => [
    role,
    ...content.map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'reasoning':
          return `reasoning ${part.text}`;
        case 'tool':
          return `${part.name} ${part.inputText} ${part.status} ${JSON.stringify(part.output)}`;
        case 'source':
          return `source ${part.url}`;
        case 'image':
        case 'audio':
        case 'file':
          return `${part.type} ${part.mediaType} ${part.url ?? part.data ?? ''}`;
        case 'provider':
          return part.name;
      }
    }),
  ]);
}

/** Returns the texts of the versions that begin at each message; an empty list where there is one. */
export function versionsOf(session: AgentSession): readonly (readonly string[])[] {
  const { alternatives } = session.getState();
  const all = [...session.getMessages(), ...alternatives.flatMap(({ messages }) => messages)];
  return session.getMessages().map(({ id }) => {
    const { ids, count } = session.alternatives(id);
    return count < 2 ? [] : ids.map((one) => extractTextContent(all.find((message) => message.id === one) ?? ''));
  });
}
