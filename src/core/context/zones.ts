import type { SessionState } from '../model/state.ts';
import type { Message, Part } from '../model/message.ts';
import { type Caps, capOutputs, pruneOutputs, referenceOf } from './cap.ts';
import { type LiveRange, liveRange, historyOf } from './compaction-history.ts';
import { textMessage } from './immutable.ts';
import { newestTurns, toVisible } from './visible-messages.ts';
import { mediaOf, toTranscript } from './transcript.ts';

/** The parts of the next request, in the order in which the model receives them. */
export interface Zones {
  /** Instructions and presets; constant for the lifetime of the agent. */
  readonly immutable: readonly Message[];
  /** The replacement of the compacted messages; changed by compactions only. */
  readonly compressed: readonly Message[];
  /** The messages that are not compacted. */
  readonly incremental: readonly Message[];
  /** Whether the live range begins with a user message, which is then merged with the replacement of the compacted messages. */
  readonly startsWithUser: boolean;
  /** Text at the end of this one request that is never stored; empty without a scratch. */
  readonly scratch: string;
}

/** Divides states into zones. Converted messages are cached, so that a long conversation costs one look-up for each message. */
export interface Zoning {
  zones(state: SessionState, options?: ZonesOptions): Zones;
  /** Returns a message as the model sees it: with its outputs (`whole`), shortened to the caps, or with its longer outputs pruned. */
  seen(message: Message, index: number, whole: boolean): Message;
}

interface ZonesOptions {
  /** Default: empty. */
  readonly scratch?: string;
  /** Ids of messages. Default: the messages that are pinned in the state. */
  readonly pinned?: ReadonlySet<string>;
}

export interface ZoningOptions {
  readonly immutable: readonly Message[];
  readonly caps: Caps;
  /** Maximum number of messages that the model sees; see `newestTurns`. */
  readonly maxMessages?: number | undefined;
}

/** A message as it was converted for the model at one position of the conversation. */
interface Converted {
  readonly index: number;
  readonly message: Message;
}

export function createZoning({ immutable, caps, maxMessages }: ZoningOptions): Zoning {
  const capped = new WeakMap<Message, Converted>();
  const pruned = new WeakMap<Message, Converted>();

  function seen(message: Message, index: number, whole: boolean): Message {
    // An open call may get its output later; its message then has a new identity.
    const known = whole ? capped : pruned;
    const before = known.get(message);
    // A message that has moved has a new reference.
    if (before?.index === index) return before.message;
    const made = (whole ? capOutputs : pruneOutputs)(message, referenceOf(index), caps);
    known.set(message, { index, message: made });
    return made;
  }

  return {
    seen,
    zones(state, { scratch = '', pinned = historyOf(state).pinned } = {}) {
      const range = liveRange(state);
      const { start, whole } = range;
      const live = state.messages
        .slice(start)
        .map((message, offset) => seen(message, start + offset, start + offset >= whole));
      return {
        immutable,
        compressed: toCompressed(state, range, pinned),
        incremental: newestTurns(toVisible(live), maxMessages),
        startsWithUser: live[0]?.role === 'user',
        scratch,
      };
    },
  };
}

/**
 * Returns the replacement of the compacted messages: their system messages unchanged, then one message with the summary and, verbatim, the
 * pinned messages and the user message that the live range answers, or is going to answer again.
 */
function toCompressed(
  state: SessionState,
  { compaction, start }: LiveRange,
  pinned: ReadonlySet<string>,
): readonly Message[] {
  if (compaction === undefined || start === 0) return [];
  const compacted = state.messages.slice(0, start);
  const prompt = state.messages[start]?.role !== 'user' ? compacted.findLast(({ role }) => role === 'user') : undefined;
  const kept = compacted.filter(
    (message) => message.role !== 'system' && (pinned.has(message.id) || message === prompt),
  );
  const text = [
    `Messages m1 to ${referenceOf(start - 1)} of this conversation are left out here to save room. What they came to:`,
    compaction.summary ?? '',
    ...(kept.length === 0 ? [] : ['Of these, word for word:']),
    ...kept.map((message) => toTranscript(message, referenceOf(state.messages.indexOf(message)))),
    'The conversation goes on:',
  ].join('\n\n');
  const content: readonly Part[] = [{ type: 'text', text }, ...kept.flatMap(mediaOf)];
  return [
    ...compacted.filter(({ role }) => role === 'system'),
    { ...textMessage('user', compaction.compactionId, ''), content, metadata: { synthetic: true } },
  ];
}

/** Returns the zones as one list for the wire: system messages first, consecutive user messages merged where two zones meet. */
export function joinZones({ immutable, compressed, incremental, startsWithUser, scratch }: Zones): readonly Message[] {
  const fixed = [...immutable, ...compressed];
  const lead = [...fixed.filter(({ role }) => role === 'system'), ...fixed.filter(({ role }) => role !== 'system')];
  const joined = compressed.length > 0 && startsWithUser ? joinUsers(lead, incremental) : [...lead, ...incremental];
  return scratch === ''
    ? joined
    : joinUsers(joined, [{ ...textMessage('user', 'scratch', scratch), metadata: { synthetic: true } }]);
}

/** Merges two consecutive user messages into one: some providers refuse them. */
function joinUsers(before: readonly Message[], after: readonly Message[]): readonly Message[] {
  const last = before.at(-1);
  const [first, ...rest] = after;
  return last?.role === 'user' && first?.role === 'user'
    ? [...before.slice(0, -1), { ...first, content: [...last.content, ...first.content] }, ...rest]
    : [...before, ...after];
}
