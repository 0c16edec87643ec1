import type { SessionState } from '../model/state.ts';
import type { Message, Part } from '../model/message.ts';
import { type Caps, capOutputs, pruneOutputs, referenceOf } from './cap.ts';
import { type LiveRange, liveRange, historyOf } from './history.ts';
import { newestTurns, textMessage, toVisible } from './request.ts';
import { mediaOf, toTranscript } from './transcript.ts';

/** The parts of the next request, each in the order in which the model gets it. */
export interface Zones {
  /** Instructions and presets: as the agent was made, for as long as it lives. */
  readonly immutable: readonly Message[];
  /** What stands for the folded part of the conversation: written by compactions only. */
  readonly compressed: readonly Message[];
  /** The live part of the conversation. */
  readonly incremental: readonly Message[];
  /** Whether the live part begins with a question, which then joins what stands for the folded part. */
  readonly begins: boolean;
  /** Said last in this one request and stored nowhere; empty where there is none. */
  readonly scratch: string;
}

/** Divides states into zones. What a zoning has made of a message is remembered, so that a long conversation costs a look at each. */
export interface Zoning {
  zones(state: SessionState, options?: ZonesOptions): Zones;
  /** A message as the model sees it, `whole` or without its longer outputs. */
  seen(message: Message, index: number, whole: boolean): Message;
}

interface ZonesOptions {
  /** Default: empty. */
  readonly scratch?: string;
  /** Ids of messages. Default: those that are pinned in the state. */
  readonly pinned?: ReadonlySet<string>;
}

export interface ZoningOptions {
  readonly immutable: readonly Message[];
  readonly caps: Caps;
  /** Messages that the model sees at most; see `newestTurns`. */
  readonly maxMessages?: number | undefined;
}

/** A message as it was made for the model at one place of the conversation. */
interface Made {
  readonly index: number;
  readonly message: Message;
}

export function createZoning({ immutable, caps, maxMessages }: ZoningOptions): Zoning {
  const capped = new WeakMap<Message, Made>();
  const pruned = new WeakMap<Message, Made>();

  function seen(message: Message, index: number, whole: boolean): Message {
    // A call that is still open may get its output later; its message then has a new identity.
    const known = whole ? capped : pruned;
    const before = known.get(message);
    // A message that moved is referred to by its new place.
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
        begins: live[0]?.role === 'user',
        scratch,
      };
    },
  };
}

/**
 * What stands for the folded messages: what the system said among them as it is, then one message with the summary and, word for word,
 * what is pinned and the question that the live part goes on answering, or is to answer anew.
 */
function toCompressed(
  state: SessionState,
  { compaction, start }: LiveRange,
  pinned: ReadonlySet<string>,
): readonly Message[] {
  if (compaction === undefined || start === 0) return [];
  const folded = state.messages.slice(0, start);
  const question = state.messages[start]?.role !== 'user' ? folded.findLast(({ role }) => role === 'user') : undefined;
  const kept = folded.filter(
    (message) => message.role !== 'system' && (pinned.has(message.id) || message === question),
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
    ...folded.filter(({ role }) => role === 'system'),
    { ...textMessage('user', compaction.compactionId, ''), content, metadata: { synthetic: true } },
  ];
}

/** One list, as it goes on the wire: the system's words first, turns of the same person joined where two zones meet. */
export function joinZones({ immutable, compressed, incremental, begins, scratch }: Zones): readonly Message[] {
  const fixed = [...immutable, ...compressed];
  const lead = [...fixed.filter(({ role }) => role === 'system'), ...fixed.filter(({ role }) => role !== 'system')];
  const joined = compressed.length > 0 && begins ? joinUsers(lead, incremental) : [...lead, ...incremental];
  return scratch === ''
    ? joined
    : joinUsers(joined, [{ ...textMessage('user', 'scratch', scratch), metadata: { synthetic: true } }]);
}

/** Two turns of the user in a row are refused by some: they become one. */
function joinUsers(before: readonly Message[], after: readonly Message[]): readonly Message[] {
  const last = before.at(-1);
  const [first, ...rest] = after;
  return last?.role === 'user' && first?.role === 'user'
    ? [...before.slice(0, -1), { ...first, content: [...last.content, ...first.content] }, ...rest]
    : [...before, ...after];
}
