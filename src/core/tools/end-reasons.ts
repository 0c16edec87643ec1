import type { CallEndReason, CallOutcome, EventBody } from '../model/event.ts';

type CallEnded = Extract<EventBody, { readonly type: 'call.ended' }>;

/** A reason, with what its sentence is made of. */
export type EndReason =
  /** The output limit cut the input off. */
  | { readonly reason: 'cut-off'; readonly inputText: string }
  | { readonly reason: 'no-object'; readonly inputText: string }
  | { readonly reason: 'schema'; readonly problem: string; readonly isStarted: boolean }
  | { readonly reason: 'unknown-tool'; readonly name: string; readonly known: readonly string[] }
  | { readonly reason: 'not-recorded' | 'tool-changed' | 'needs-approval-now' }
  | { readonly reason: 'timeout'; readonly timeout: number | undefined };

const outcomes: Readonly<Record<CallEndReason, CallOutcome>> = {
  'cut-off': 'invalid',
  'no-object': 'invalid',
  schema: 'invalid',
  'unknown-tool': 'invalid',
  'not-recorded': 'failed',
  'tool-changed': 'failed',
  'needs-approval-now': 'failed',
  timeout: 'timed-out',
};

/** Returns the end of a call for which the tool has no result: the reason for programs, and the sentence that the model reads. */
export function endFor(callId: string, end: EndReason): CallEnded {
  const { reason } = end;
  const outcome = reason === 'schema' && end.isStarted ? 'failed' : outcomes[reason];
  const timeout = reason === 'timeout' && end.timeout !== undefined ? { timeout: end.timeout } : {};
  return { type: 'call.ended', callId, outcome, reason, ...timeout, output: sentenceFor(end) };
}

/** Invariant: the sentences are written here and nowhere else, and nothing reads them but models and people. */
function sentenceFor(end: EndReason): string {
  switch (end.reason) {
    case 'cut-off':
      return `Not run: the output limit cut the input off after ${end.inputText.length} characters. Call the tool again with a shorter input, or in several calls.`;
    case 'no-object':
      return `Not run: the input is not a JSON object: ${end.inputText.slice(0, 200)}`;
    case 'schema':
      return end.isStarted
        ? `The input does not fit: ${end.problem}`
        : `Not run: the input does not fit the schema: ${end.problem}`;
    case 'unknown-tool':
      return `There is no tool ${JSON.stringify(end.name.slice(0, 64))}. There are: ${end.known.join(', ') || 'none'}.`;
    case 'not-recorded':
      return 'Not run: the start of the call could not be stored.';
    case 'tool-changed':
      return 'Not run: the tool has changed since a person agreed. Call it again.';
    case 'needs-approval-now':
      return 'Not run: the tool needs approval now. Call it again to ask a person.';
    case 'timeout':
      return `The tool took longer than ${end.timeout} ms and was stopped.`;
  }
}
