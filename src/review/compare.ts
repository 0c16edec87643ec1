import type { Message, ToolPart } from '../core/model/message.ts';
import { toolParts } from '../core/model/message.ts';
import type { SessionState } from '../core/model/state.ts';
import { compareLists, type ListChanges } from './compare-lists.ts';
import { compareRequests, type RequestChanges, withoutIds } from './compare-requests.ts';
import type { Review } from './create-review.ts';
import type { ReviewStep } from './steps.ts';

/** How two moments of a session differ. */
export interface MomentChanges {
  /** By id. */
  readonly messages: ListChanges<Message>;
  /** By id; a call of a message that is still there. */
  readonly calls: ListChanges<ToolPart>;
  /** Tokens that were used between the two moments. */
  readonly tokens: { readonly input: number; readonly output: number };
}

/** Compares two states of one session, such as `review.stateAt(12)` and `review.stateAt(40)`. */
export function compareMoments(before: SessionState, after: SessionState): MomentChanges {
  const callsOf = ({ messages }: SessionState): readonly ToolPart[] => messages.flatMap(toolParts);
  return {
    messages: compareLists(before.messages, after.messages, ({ id }) => id),
    calls: compareLists(callsOf(before), callsOf(after), ({ callId }) => callId),
    tokens: tokensBetween(before, after),
  };
}

function tokensBetween(before: SessionState, after: SessionState): MomentChanges['tokens'] {
  return { input: after.usage.input - before.usage.input, output: after.usage.output - before.usage.output };
}

/** The same step of two sessions. */
export interface StepPair {
  readonly index: number;
  /** Missing when the first session has fewer steps. */
  readonly before?: ReviewStep;
  /** Missing when the second session has fewer steps. */
  readonly after?: ReviewStep;
  /** How the second request differs, ids and times not counted; missing without two requests. */
  readonly request?: RequestChanges;
  /** Whether requests and answers are the same, ids and times not counted. */
  readonly isSame: boolean;
}

/** How two sessions differ, step by step. */
export interface SessionChanges {
  readonly steps: readonly StepPair[];
  /** Index of the first step that differs; missing when none does. */
  readonly firstDifference?: number;
  /** Tokens of the second session without those of the first. */
  readonly tokens: { readonly input: number; readonly output: number };
}

/** Compares two sessions step by step: a recorded one and its repetition, for example. */
export function compareReviews(before: Review, after: Review): SessionChanges {
  const length = Math.max(before.steps.length, after.steps.length);
  const toText = rememberTexts();
  const steps = Array.from({ length }, (_none, index) =>
    toPair({ before: before.steps[index], after: after.steps[index], index }, toText),
  );
  const first = steps.find(({ isSame }) => !isSame);
  return {
    steps,
    ...(first && { firstDifference: first.index }),
    tokens: tokensBetween(before.stateAt(Infinity), after.stateAt(Infinity)),
  };
}

/** Returns `withoutIds`, which serializes each message once: most messages are in the requests of many steps. */
function rememberTexts(): ToText {
  const texts = new WeakMap<Message, string>();
  return (message) => {
    const text = texts.get(message) ?? withoutIds(message);
    texts.set(message, text);
    return text;
  };
}

type ToText = (message: Message) => string;

interface Pair {
  readonly index: number;
  readonly before: ReviewStep | undefined;
  readonly after: ReviewStep | undefined;
}

function toPair({ before, after, index }: Pair, toText: ToText): StepPair {
  const [was, is] = [before?.request, after?.request];
  const request = was && is && compareRequests(was, is, toText);
  const textOf = (step: ReviewStep | undefined): string => (step?.answer ? toText(step.answer) : '');
  const isSame = request !== undefined && isUnchanged(request) && textOf(before) === textOf(after);
  return { index, isSame, ...(before && { before }), ...(after && { after }), ...(request && { request }) };
}

function isUnchanged({ dropped, added, tools, parameters }: RequestChanges): boolean {
  return [dropped, added, tools.added, tools.removed, tools.changed, parameters].every(({ length }) => length === 0);
}
