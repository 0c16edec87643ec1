import { type AgentSession, extractTextContent, type Message, type Part } from 'brooklet';
import { totalInput } from 'brooklet/core';

/** All that the agent said to one question, as one answer. */
export interface Turn {
  readonly text: string;
  /** Tokens, as far as they are known. */
  readonly input: number;
  readonly output: number;
}

/** The agent's replies from the question before up to the given one. */
export function getTurn(session: AgentSession, messageId: string): Turn {
  const messages = session.getMessages();
  const end = messages.findIndex(({ id }) => id === messageId) + 1;
  const start = messages.slice(0, end).findLastIndex(({ role }) => role === 'user') + 1;
  let text = '';
  let input = 0;
  let output = 0;
  let wasCut = false;
  for (const reply of messages.slice(start, end)) {
    const said = extractTextContent(reply);
    text += text === '' || said === '' || wasCut ? said : `\n\n${said}`;
    input += reply.usage ? totalInput(reply.usage) : 0;
    output += reply.usage?.output ?? 0;
    wasCut = reply.status === 'interrupted';
  }
  return { text: text.trim(), input, output };
}

/** How a reply that broke off and the one that goes on with it share their text. */
export interface Seam {
  /** What the reply before said last, to be shown in one piece with this one. */
  readonly lead: string;
  /** Whether this reply's own last text is shown by the next. */
  readonly handsOn: boolean;
}

/**
 * Finds the replies that were interrupted and gone on with. A sentence, a list or a table that broke in the middle is one piece
 * of Markdown only when both halves are read together.
 */
export function findSeams(messages: readonly Message[]): ReadonlyMap<string, Seam> {
  const seams = new Map<string, Seam>();
  let lead = '';
  messages.forEach((message, index) => {
    const handsOn = message.status === 'interrupted' && messages[index + 1]?.role === 'assistant';
    if (lead !== '' || handsOn) seams.set(message.id, { lead, handsOn });
    const last = shownParts(message.content, { lead, handsOn: false }).at(-1);
    lead = handsOn && last?.type === 'text' ? last.text : '';
  });
  return seams;
}

/** The parts of a reply as they are shown. */
export function shownParts(content: readonly Part[], { lead, handsOn }: Seam): readonly Part[] {
  const [first, ...rest] = content;
  let parts = content;
  if (lead !== '')
    parts =
      first?.type === 'text'
        ? [{ type: 'text', text: lead + first.text }, ...rest]
        : [{ type: 'text', text: lead }, ...content];
  return handsOn && parts.at(-1)?.type === 'text' ? parts.slice(0, -1) : parts;
}
