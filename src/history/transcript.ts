import { defined } from '../core/json.ts';
import { isToolPart, type Message, type Part, type Role } from '../core/model/message.ts';
import type { ReplyFacts } from './facts.ts';
import { endedCall, type ForeignCall, type ForeignResult } from './foreign-call.ts';

/** A message of a conversation, and the one before it. Several that follow the same message are versions. */
export interface Turn {
  /** Id of the message before; missing for the first. */
  readonly parent?: string;
  readonly message: Message;
}

/** A message while its conversation is read. */
export interface Draft {
  readonly id: string;
  readonly role: Role;
  readonly content: Part[];
  readonly parent: Draft | undefined;
  /** ms since the epoch */
  readonly timestamp: number;
  facts: ReplyFacts;
  /** Whether a call has a result: what the model says then is another reply. */
  isAnswered?: boolean;
}

/** What a program states about a message. */
interface DraftFacts extends ReplyFacts {
  /** Default: `m` with a number. */
  readonly id?: string;
}

/** The messages of a conversation while it is read. Each new message follows the one at the place. */
export interface Transcript {
  /** Sets the time of what follows, in ms since the epoch. `undefined`: the time before. */
  setTime(time: number | undefined): void;
  /** Returns the message at the place. */
  place(): Draft | undefined;
  /** Returns the message with an id of the program. */
  find(id: string): Draft | undefined;
  /** Moves the place: what follows comes after this message; before all messages without one. */
  goTo(draft: Draft | undefined): void;
  add(role: Role, parts: readonly Part[], facts?: DraftFacts): Draft;
  /** Adds parts to the reply at the place if none of its calls has a result, else to a new reply. */
  addToReply(parts: readonly Part[], facts?: DraftFacts): Draft;
  /** Adds a call to the reply at the place, else to a new reply. */
  addCall(id: string, call: ForeignCall): void;
  hasCall(id: string): boolean;
  /**
   * Ends the latest call with the id; without an id, the first call without a result. A second result of a call is added to the first.
   * Returns whether there is such a call.
   */
  addResult(id: string, result: ForeignResult): boolean;
  /** Returns the messages that have content, each after the one before it. */
  turns(): readonly Turn[];
}

/** @param now time of messages that state none: ms since the epoch */
export function createTranscript(now: number): Transcript {
  const drafts: Draft[] = [];
  /** Where the latest call of an id of the program is, and each call by its id here. */
  const places = new Map<string, { readonly draft: Draft; readonly index: number }>();
  const usedCalls = new Set<string>();
  const byId = new Map<string, Draft>();
  let time = now;
  let last: Draft | undefined;

  function add(role: Role, parts: readonly Part[], { id, ...facts }: DraftFacts = {}): Draft {
    const own = unused(byId, id || `m${drafts.length + 1}`);
    last = { id: own, role, content: [...parts], parent: last, timestamp: time, facts };
    drafts.push(last);
    byId.set(own, last);
    return last;
  }

  return {
    setTime(next) {
      time = next ?? time;
    },
    place: () => last,
    find: (id) => byId.get(id),
    goTo(draft) {
      last = draft;
    },
    add,
    addToReply(parts, facts = {}) {
      if (last?.role !== 'assistant' || last.isAnswered === true) return add('assistant', parts, facts);
      const { id: _id, ...stated } = facts;
      last.content.push(...parts);
      last.facts = { ...last.facts, ...stated };
      return last;
    },
    addCall(id, call) {
      const draft = last?.role === 'assistant' ? last : add('assistant', []);
      const callId = unused(usedCalls, id || `call${usedCalls.size + 1}`);
      usedCalls.add(callId);
      const place = { draft, index: draft.content.push({ type: 'tool', callId, ...call }) - 1 };
      places.set(callId, place);
      if (id !== '') places.set(id, place);
    },
    hasCall: (id) => places.has(id),
    addResult(id, result) {
      const place = id === '' ? firstOpen(last) : places.get(id);
      const call = place?.draft.content[place.index];
      if (place === undefined || call === undefined || !isToolPart(call)) return false;
      const { output: before } = call;
      const isMore = typeof before === 'string' && before !== '' && typeof result.output === 'string';
      const output = isMore ? `${before}\n${result.output}` : result.output;
      const { type, callId, ...rest } = call;
      place.draft.isAnswered = true;
      place.draft.content[place.index] = { type, callId, ...endedCall(rest, { ...result, output }) };
      return true;
    },
    turns() {
      return drafts
        .filter(({ content }) => content.length > 0)
        .map(({ id, role, content, timestamp, parent, facts }): Turn => {
          const before = filled(parent);
          return {
            ...(before && { parent: before.id }),
            message: { id, role, content, timestamp, ...defined(facts) },
          };
        });
    },
  };
}

/** Returns the first call without a result in the last reply that has calls. */
function firstOpen(last: Draft | undefined): { readonly draft: Draft; readonly index: number } | undefined {
  for (let draft = last; draft !== undefined; draft = draft.parent) {
    if (!draft.content.some(isToolPart)) continue;
    const index = draft.content.findIndex((part) => isToolPart(part) && part.isError === undefined);
    return index < 0 ? undefined : { draft, index };
  }
  return undefined;
}

/** Returns the nearest message with content, from this one back. */
function filled(draft: Draft | undefined): Draft | undefined {
  let one = draft;
  while (one && one.content.length === 0) one = one.parent;
  return one;
}

/** Returns the id, with marks where it is used already. */
function unused(used: { has(id: string): boolean }, id: string): string {
  let own = id.slice(0, maxIdLength);
  while (used.has(own)) own += "'";
  return own;
}

/** Longest id of another program; one here may have 1,000 characters. */
const maxIdLength = 900;
