import { requestOf } from '../../core/context/rebuild-request.ts';
import type { PreparedRequest } from '../../core/context/prepare-request.ts';
import type { LLMRequest } from '../../core/model/llm.ts';
import { describeDifferences, isSameText } from './differences.ts';
import type { NextRequest } from './next-request.ts';
import { ReplayError } from './replay-error.ts';

/**
 * Whether the log states the same about a request as about the recorded one. The same state makes the same bytes of it then: nothing has to be
 * compared. Requests whose messages were chosen by their tokens are compared always.
 */
export function isSameRecord({ record, context }: PreparedRequest, { reply }: NextRequest): boolean {
  return context === undefined && reply.context === undefined && isSameText(record, reply.request);
}

/**
 * Compares a request with the recorded one, byte for byte.
 *
 * @param step number of the request, from 1
 * @returns the difference; `undefined` for the same bytes
 */
export function checkRequest(
  request: LLMRequest,
  { state, reply }: NextRequest,
  step: number,
): ReplayError | undefined {
  if (reply.request === undefined) return undefined;
  const recorded = requestOf(state, reply.request, reply.context);
  if (isSameRequest(recorded, request)) return undefined;
  const message = `Request ${step} differs from the recorded one (seq ${reply.seq}).\n${describeDifferences(recorded, request)}`;
  return new ReplayError(message, { what: 'request', seq: reply.seq, step, recorded, replayed: request });
}

function isSameRequest(one: LLMRequest, other: LLMRequest): boolean {
  const { messages, tools = [], ...rest } = one;
  const { messages: otherMessages, tools: otherTools = [], ...otherRest } = other;
  return (
    isSameList(messages, otherMessages) &&
    isSameList(tools, otherTools) &&
    JSON.stringify(rest) === JSON.stringify(otherRest)
  );
}

/** Compares item by item: the messages of two requests are mostly the same objects. */
function isSameList(list: readonly object[], other: readonly object[]): boolean {
  return (
    list.length === other.length && list.every((item, index) => item === other[index] || isSame(item, other[index]))
  );
}

function isSame(one: object, other: object | undefined): boolean {
  return other !== undefined && bytesOf(one) === bytesOf(other);
}

const known = new WeakMap<object, string>();

/** Returns the JSON of an object that is never changed, computed once. */
function bytesOf(value: object): string {
  const bytes = known.get(value) ?? JSON.stringify(value);
  known.set(value, bytes);
  return bytes;
}
