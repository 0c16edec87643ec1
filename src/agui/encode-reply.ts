import type { AGUIEvent } from './event.ts';
import { inOrder, type Step } from './step.ts';

/** Without its timestamp, which is that of the session event. */
export type Untimed<T = AGUIEvent> = T extends AGUIEvent ? Omit<T, 'timestamp'> : never;

type DeltaType = 'text.delta' | 'reasoning.delta';

/** What was written of a reply. Invariant: whatever is opened is closed before something else of its kind opens. */
export interface ReplyWriting {
  /** Id of the reply. */
  readonly id: string;
  /** AG-UI messages of the reply so far: each of its texts is a message of its own. */
  readonly messages: number;
  readonly reasonings: number;
  /** Id of the message that calls belong to; empty before the first one. */
  readonly parent: string;
  /** The text or reasoning that is open. */
  readonly open: { readonly type: DeltaType; readonly messageId: string } | undefined;
  /** Ids of calls whose input is not complete, also of an earlier reply. */
  readonly growing: readonly string[];
}

type ReplyStep = Step<ReplyWriting, Untimed>;

/** Nothing was written. */
export const noReply: ReplyWriting = {
  id: '',
  messages: 0,
  reasonings: 0,
  parent: '',
  open: undefined,
  growing: [],
};

/** Begins a reply. `isContinued`: a snapshot has its beginning, so its rest becomes a message of its own. */
export function beginReply(writing: ReplyWriting, id: string, isContinued = false): ReplyWriting {
  const earlier = isContinued ? 1 : 0;
  return { ...writing, id, messages: earlier, reasonings: earlier, parent: '' };
}

/** Writes a piece of text or reasoning. */
export function grow(writing: ReplyWriting, type: DeltaType, delta: string): ReplyStep {
  if (delta === '') return [writing, []];
  const [next, out] = writing.open?.type === type ? [writing, []] : start(writing, type);
  const messageId = next.open?.messageId ?? '';
  const piece: Untimed =
    type === 'text.delta'
      ? { type: 'TEXT_MESSAGE_CONTENT', messageId, delta }
      : { type: 'REASONING_MESSAGE_CONTENT', messageId, delta };
  return [next, [...out, piece]];
}

function start(writing: ReplyWriting, type: DeltaType): ReplyStep {
  const [closed, out] = closePart(writing);
  if (type === 'text.delta') {
    const next = withMessage(closed);
    const messageId = next.parent;
    return [
      { ...next, open: { type, messageId } },
      [...out, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }],
    ];
  }
  const reasonings = closed.reasonings + 1;
  const messageId = `${closed.id}-thought-${reasonings}`;
  return [
    { ...closed, reasonings, open: { type, messageId } },
    [...out, { type: 'REASONING_START', messageId }, { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' }],
  ];
}

/** Begins the next message of a reply. */
function withMessage(writing: ReplyWriting): ReplyWriting {
  const messages = writing.messages + 1;
  return { ...writing, messages, parent: messages === 1 ? writing.id : `${writing.id}-${messages}` };
}

/** Writes a piece of the input of a call. */
export function growCall(writing: ReplyWriting, toolCallId: string, toolCallName: string, delta: string): ReplyStep {
  const input: readonly Untimed[] = delta === '' ? [] : [{ type: 'TOOL_CALL_ARGS', toolCallId, delta }];
  if (isGrowing(writing, toolCallId)) return [writing, input];
  const [closed, out] = closePart(writing);
  const next = closed.parent === '' ? withMessage(closed) : closed;
  return [
    { ...next, growing: [...next.growing, toolCallId] },
    [...out, { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: next.parent }, ...input],
  ];
}

export function isGrowing({ growing }: ReplyWriting, toolCallId: string): boolean {
  return growing.includes(toolCallId);
}

export function endCall(writing: ReplyWriting, toolCallId: string): ReplyStep {
  if (!isGrowing(writing, toolCallId)) return [writing, []];
  const growing = writing.growing.filter((id) => id !== toolCallId);
  return [{ ...writing, growing }, [{ type: 'TOOL_CALL_END', toolCallId }]];
}

/** Closes the text or reasoning that is open. */
export function closePart(writing: ReplyWriting): ReplyStep {
  if (writing.open === undefined) return [writing, []];
  const { type, messageId } = writing.open;
  const closed: ReplyWriting = { ...writing, open: undefined };
  if (type === 'text.delta') return [closed, [{ type: 'TEXT_MESSAGE_END', messageId }]];
  return [
    closed,
    [
      { type: 'REASONING_MESSAGE_END', messageId },
      { type: 'REASONING_END', messageId },
    ],
  ];
}

/** Closes everything that is open. */
export function closeAll(writing: ReplyWriting): ReplyStep {
  return inOrder(writing, [closePart, ...writing.growing.map((id) => (before: ReplyWriting) => endCall(before, id))]);
}
