import { extractTextContent, type Message, type Part } from '../../core/model/index.ts';

/** What a message shows that depends on the messages around it. */
export interface Place {
  /** The last text of the interrupted reply before, to be shown together with this reply. */
  readonly lead: string;
  /** Whether the next reply continues this one, and shows this reply's last text. */
  readonly isContinued: boolean;
  /** Whether this is the last reply of an answer, which may still grow if it is the last message. */
  readonly endsTurn: boolean;
  /** Where the versions of this message begin: the first reply of the answer, or the message itself. */
  readonly firstId: string;
  /** The message of the person that a reply answers. */
  readonly questionId: string | undefined;
}

/**
 * Returns the places of messages by their ids. A sentence, a list or a table that was cut in the middle is valid Markdown only if both
 * halves are parsed together.
 *
 * @param messages from the begin of a turn on
 */
export function placesOf(messages: readonly Message[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  let lead = '';
  let questionId: string | undefined;
  let firstReply: string | undefined;
  messages.forEach((message, index) => {
    const { id, role, status, content } = message;
    const isReply = role === 'assistant';
    if (!isReply) [questionId, firstReply] = [id, undefined];
    else firstReply ??= id;
    const next = messages[index + 1];
    const isContinued = status === 'interrupted' && next?.role === 'assistant';
    places.set(id, {
      lead,
      isContinued,
      endsTurn: isReply && next?.role !== 'assistant',
      firstId: firstReply ?? id,
      questionId,
    });
    const last = shownParts(content, { lead, isContinued: false }).at(-1);
    lead = isContinued && last?.type === 'text' ? last.text : '';
  });
  return places;
}

/** Returns the parts of a reply as the thread shows them. */
export function shownParts(
  content: readonly Part[],
  { lead, isContinued }: Pick<Place, 'lead' | 'isContinued'>,
): readonly Part[] {
  const [first, ...rest] = content;
  let parts = content;
  if (lead !== '')
    parts =
      first?.type === 'text'
        ? [{ type: 'text', text: lead + first.text }, ...rest]
        : [{ type: 'text', text: lead }, ...content];
  return isContinued && parts.at(-1)?.type === 'text' ? parts.slice(0, -1) : parts;
}

/** Returns the text of an answer: of all replies from the first to the last. */
export function answerText(messages: readonly Message[], firstId: string, lastId: string): string {
  const start = messages.findIndex(({ id }) => id === firstId);
  const end = messages.findIndex(({ id }) => id === lastId) + 1;
  let text = '';
  let wasCut = false;
  for (const reply of messages.slice(start, end)) {
    const replyText = extractTextContent(reply);
    text += text === '' || replyText === '' || wasCut ? replyText : `\n\n${replyText}`;
    wasCut = reply.status === 'interrupted';
  }
  return text.trim();
}

/** Returns the index of the message of a person at or before an index: the begin of its turn. */
export function turnStart(messages: readonly Message[], index: number): number {
  let start = Math.min(index, messages.length - 1);
  while (start > 0 && messages[start]?.role !== 'user') start -= 1;
  return Math.max(0, start);
}
