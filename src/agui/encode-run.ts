import { defined, type JsonObject } from '../core/json.ts';
import type { SessionEvent } from '../core/model/event.ts';
import { openRun, type SessionState } from '../core/model/state.ts';
import { callsAwaitingApproval, statusOf } from '../core/model/status.ts';
import { closeAll, noReply, type ReplyWriting, type Untimed } from './encode-reply.ts';
import type { AGUIEvent, AGUIOutcome, AGUIInterrupt } from './event.ts';
import { isFrontEndCall } from './front-end-tool.ts';
import { inOrder, type Step } from './step.ts';
import { fingerprintOf } from '../core/model/fingerprint.ts';
import type { ToolPart } from '../core/model/message.ts';
import { expiryOf } from '../core/model/between-runs.ts';

/** What was written of a session. */
export interface Writing {
  readonly threadId: string;
  /** Returns the AG-UI id of a run. `part` is 1 for its beginning, 2 for what follows its first interrupt, … */
  readonly runIdOf: (runId: string, part: number) => string;
  /** Id of the AG-UI run that is open. */
  readonly run: string | undefined;
  /** Id of the session's run, and the number of its AG-UI runs. */
  readonly sessionRun: string | undefined;
  readonly part: number;
  readonly steps: number;
  readonly isStepOpen: boolean;
  /** The state as it was sent last. */
  readonly shared: JsonObject | undefined;
  readonly usages: readonly JsonObject[];
  readonly reply: ReplyWriting;
}

export type WritingStep<Out = Untimed> = Step<Writing, Out>;
type Ended = Extract<SessionEvent, { readonly type: 'run.ended' }>;

/** Returns the writing of a session of which nothing was written. */
export function beginWriting(
  threadId: string,
  runIdOf: Writing['runIdOf'] = (runId, part) => (part === 1 ? runId : `${runId}-${part}`),
): Writing {
  return {
    threadId,
    runIdOf,
    run: undefined,
    sessionRun: undefined,
    part: 0,
    steps: 0,
    isStepOpen: false,
    shared: undefined,
    usages: [],
    reply: noReply,
  };
}

/** Begins an AG-UI run. */
export function start(writing: Writing, { metadata }: SessionState, runId: string, parentRunId?: string): WritingStep {
  const { threadId, runIdOf, sessionRun } = writing;
  const part = runId === sessionRun ? writing.part + 1 : 1;
  const steps = runId === sessionRun ? writing.steps : 0;
  const run = runIdOf(runId, part);
  return [
    { ...writing, part, steps, sessionRun: runId, usages: [], run, shared: metadata },
    [
      { type: 'RUN_STARTED', threadId, runId: run, ...defined({ parentRunId }) },
      ...(metadata ? [{ type: 'STATE_SNAPSHOT' as const, snapshot: metadata }] : []),
    ],
  ];
}

/** Begins a step: a request to the model with its calls. */
export function startStep(writing: Writing): WritingStep {
  const [ended, out] = endStep(writing);
  const steps = ended.steps + 1;
  return [{ ...ended, steps, isStepOpen: true }, [...out, { type: 'STEP_STARTED', stepName: `step ${steps}` }]];
}

function endStep(writing: Writing): WritingStep {
  if (!writing.isStepOpen) return [writing, []];
  return [{ ...writing, isStepOpen: false }, [{ type: 'STEP_FINISHED', stepName: `step ${writing.steps}` }]];
}

function finish(
  writing: Writing,
  ending: Untimed<Extract<AGUIEvent, { readonly type: 'RUN_ERROR' | 'RUN_FINISHED' }>>,
): WritingStep {
  return inOrder(writing, [
    (before) => withReply(before, closeAll(before.reply)),
    endStep,
    (before) => [
      { ...before, run: undefined, usages: [] },
      [{ ...ending, ...(before.usages.length > 0 && { usage: before.usages }) }],
    ],
  ]);
}

/** Finishes the AG-UI run at the end of the session's run. */
export function endRun(
  writing: Writing,
  { outcome, error, limit }: Pick<Ended, 'outcome' | 'error' | 'limit'>,
): WritingStep {
  const { threadId, run } = writing;
  if (run === undefined) return [writing, []];
  if (outcome === 'failed' || outcome === 'interrupted')
    return finish(writing, {
      type: 'RUN_ERROR',
      message: error?.message ?? 'The run was interrupted. Send the message again.',
      code: error?.code ?? 'STREAM_INTERRUPTED',
    });
  return finish(writing, {
    type: 'RUN_FINISHED',
    threadId,
    runId: run,
    outcome: { type: outcome === 'cancelled' ? 'cancelled' : 'success' },
    ...(limit && { result: { limit } }),
  });
}

/** Finishes the AG-UI run where the session's run waits for a person and nothing else is under way. */
export function interrupt(writing: Writing, state: SessionState): WritingStep {
  const { threadId, run, sessionRun } = writing;
  if (run === undefined || statusOf(state) !== 'waiting' || openRun(state)?.id !== sessionRun) return [writing, []];
  // A call that the front end runs is open in its conversation, and no interrupt.
  const asked = callsAwaitingApproval(state).filter((call) => !isFrontEndCall(call));
  const interrupts = asked.map((call) => toInterrupt(call, state));
  const outcome: AGUIOutcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' };
  return finish(writing, { type: 'RUN_FINISHED', threadId, runId: run, outcome });
}

/** Returns the writing with what a step has written of the reply. */
export function withReply(writing: Writing, [reply, out]: Step<ReplyWriting, Untimed>): WritingStep {
  return [reply === writing.reply ? writing : { ...writing, reply }, out];
}

/** The latest time that a date can have: ms since the epoch. */
const lastDate = 8.64e15;

/** Returns the interrupt for a call that awaits a person. */
function toInterrupt(call: ToolPart, { tools }: SessionState): AGUIInterrupt {
  const { callId, name, approval } = call;
  const { elicitation } = approval ?? {};
  const expiry = expiryOf(call);
  const inputSchema = tools?.tools.find((tool) => tool.name === name)?.inputSchema ?? { type: 'object' };
  const common = {
    id: callId,
    toolCallId: callId,
    metadata: { fingerprint: fingerprintOf(call) },
    ...(expiry <= lastDate && { expiresAt: new Date(expiry).toISOString() }),
  };
  if (elicitation) {
    const message = typeof elicitation.title === 'string' ? elicitation.title : `${name} needs an answer.`;
    return { ...common, reason: 'input_required', message, responseSchema: elicitation };
  }
  return {
    ...common,
    reason: 'tool_call',
    message: `Run ${name}?`,
    responseSchema: {
      type: 'object',
      properties: { approved: { type: 'boolean' }, reason: { type: 'string' }, editedArgs: inputSchema },
      required: ['approved'],
    },
  };
}
