import { mostWaiting, type WaitingCall } from '../waiting.ts';
import { type Fields, id, word } from './fields.ts';
import { amount, having, listOf, maybe, oneOf, type Shape, text } from './shape.ts';

const calls = listOf(
  having({
    callId: id,
    name: word,
    kind: oneOf('approval', 'question'),
    requestedAt: amount,
    expiresAt: maybe(amount),
    label: maybe(text(200)),
  } satisfies Fields<WaitingCall>),
);

/** The waiting calls in the row of a session. */
export const waitingList: Shape = (value, field) => {
  const flaw = calls(value, field);
  if (flaw) return flaw;
  const isBounded = Array.isArray(value) && value.length > 0 && value.length <= mostWaiting;
  return isBounded ? undefined : { field, reason: `is not a list of 1 to ${mostWaiting} calls` };
};
