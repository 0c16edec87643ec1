import { type AgentSession, extractTextContent, type Message, type Part } from 'brooklet';
import { totalInput } from 'brooklet/core';

/** All replies of the agent to one user message, as one answer. */
export interface Turn {
  readonly text: string;
  /** Tokens, as far as the provider has reported them. */
  readonly input: number;
  readonly output: number;
}

/** Returns the agent's replies after the last user message, up to the given message. */
export function getTurn(session: AgentSession, messageId: string): Turn {
  const messages = session.getMessages();
  const end = messages.findIndex(({ id }) => id === messageId) + 1;
  const start = messages.slice(0, end).findLastIndex(({ role }) => role === 'user') + 1;
  let text = '';
  let input = 0;
  let output = 0;
  let wasCut = false;
  for (const reply of messages.slice(start, end)) {
    const replyText = extractTextContent(reply);
    text += text === '' || replyText === '' || wasCut ? replyText : `\n\n${replyText}`;
    input += reply.usage ? totalInput(reply.usage) : 0;
    output += reply.usage?.output ?? 0;
    wasCut = reply.status === 'interrupted';
  }
  return { text: text.trim(), input, output };
}

/** Returns the id of the first reply of the answer to which a reply belongs. */
export function firstReplyId(session: AgentSession, messageId: string): string {
  const messages = session.getMessages();
  const end = messages.findIndex(({ id }) => id === messageId) + 1;
  const start = messages.slice(0, end).findLastIndex(({ role }) => role === 'user') + 1;
  return messages[start]?.id ?? messageId;
}

/** How an interrupted reply and the reply that continues it share their text. */
export interface Continuation {
  /** The last text of the interrupted reply before, to be shown together with this reply. */
  readonly lead: string;
  /** Whether the next reply continues this one, and shows this reply's last text. */
  readonly isContinued: boolean;
}

/**
 * Finds the replies that were interrupted and continued. A sentence, a list or a table that was cut in the middle is valid
 * Markdown only if both halves are parsed together.
 */
export function findContinuations(messages: readonly Message[]): ReadonlyMap<string, Continuation> {
  const continuations = new Map<string, Continuation>();
  let lead = '';
  messages.forEach((message, index) => {
    const isContinued = message.status === 'interrupted' && messages[index + 1]?.role === 'assistant';
    if (lead !== '' || isContinued) continuations.set(message.id, { lead, isContinued });
    const last = shownParts(message.content, { lead, isContinued: false }).at(-1);
    lead = isContinued && last?.type === 'text' ? last.text : '';
  });
  return continuations;
}

/** Returns the parts of a reply as the page shows them. */
export function shownParts(content: readonly Part[], { lead, isContinued }: Continuation): readonly Part[] {
  const [first, ...rest] = content;
  let parts = content;
  if (lead !== '')
    parts =
      first?.type === 'text'
        ? [{ type: 'text', text: lead + first.text }, ...rest]
        : [{ type: 'text', text: lead }, ...content];
  return isContinued && parts.at(-1)?.type === 'text' ? parts.slice(0, -1) : parts;
}
