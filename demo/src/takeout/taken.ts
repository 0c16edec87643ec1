import type { AgentSession, Message } from 'brooklet';
import { toMarkdown } from 'brooklet/storage';
import { english } from 'brooklet/ui';
import { withSummary } from '../texts/summaries.ts';
import type { Texts } from '../texts/en/en.ts';
import { titleOf } from '../texts/titleOf.ts';

/** What is taken out: a conversation, or one answer. */
export interface Taken {
  readonly title: string;
  /** As the person sees them, oldest first. */
  readonly messages: readonly Message[];
}

/** Returns the whole conversation. What only the model reads is left out. */
export function takeChat(session: AgentSession): Taken {
  const messages = session.getMessages().filter(({ role }) => role !== 'system');
  return { title: session.getState().title ?? '', messages };
}

/** Returns one answer: all its replies, the last of which has this id. */
export function takeAnswer(session: AgentSession, messageId: string): Taken {
  const { title, messages } = takeChat(session);
  const end = messages.findIndex(({ id }) => id === messageId) + 1;
  const start = messages.slice(0, end).findLastIndex(({ role }) => role === 'user') + 1;
  return { title, messages: messages.slice(start, end) };
}

/** Returns a conversation as Markdown, with a line for each call, and without the reasoning. */
export function toText(taken: Taken, texts: Texts): string {
  const { common, parts } = texts;
  const states = parts.tool?.status ?? english.tool.status;
  const messages = taken.messages.map((message) => ({
    ...message,
    content: message.content.map((part) => (part.type === 'tool' ? withSummary(part, texts) : part)),
  }));
  return toMarkdown(
    { ...taken, messages },
    {
      calls: 'line',
      reasoning: false,
      words: {
        untitled: common.untitled,
        user: common.you,
        assistant: common.agent,
        interrupted: parts.notice?.interrupted ?? english.notice.interrupted,
        tool: (name) => titleOf(texts, name),
        status: (status) => states[status],
      },
    },
  );
}
