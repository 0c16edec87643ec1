import { defined } from '../json.ts';
import type { Message } from '../model/message.ts';
import type { MessageOrigin } from '../model/message-origin.ts';
import { broughtBy, isForeign } from '../model/origin.ts';
import { checkNotEmpty } from './read-arguments.ts';
import type { ChatInput } from './session.ts';

interface Edited {
  readonly input: ChatInput;
  /** What an edit leaves of an untrusted message keeps its origin. */
  readonly origin: MessageOrigin | undefined;
}

/**
 * Returns what an edit makes of a message.
 *
 * @param input a text, in the place of the text of the message, or a copy that was checked
 * @throws AgentError `INVALID_INPUT` for a message without content
 */
export function toEdited(before: Message, input: string | ChatInput): Edited {
  return {
    input: typeof input === 'string' ? checkNotEmpty(withText(before, input)) : input,
    origin: broughtBy(input, isForeign(before) ? before.origin : undefined),
  };
}

/** Returns the content of a message with another text. Its images, files and metadata stay. */
function withText({ content, metadata }: Message, text: string): ChatInput {
  const others = content.filter(({ type }) => type !== 'text');
  return { content: [...others, { type: 'text', text }], ...defined({ metadata }) };
}
