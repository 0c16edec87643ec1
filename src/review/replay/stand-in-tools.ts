import { map, Observable } from 'rxjs';
import { fail, fromErrorInfo } from '../../core/error.ts';
import { defined } from '../../core/json.ts';
import type { ToolPart } from '../../core/model/message.ts';
import { openCalls } from '../../core/model/status.ts';
import type { RecentState, SessionState } from '../../core/model/state.ts';
import type { ToolSpec } from '../../core/model/settings.ts';
import { hash } from '../../core/model/hash.ts';
import type { EventBody, SessionEvent } from '../../core/model/event.ts';
import { asQuestion } from '../../core/tools/ask-person.ts';
import { decide } from '../../core/tools/decide.ts';
import { execute, type ExecuteEnv } from '../../core/tools/execute.ts';
import { engine, type Tool } from '../../core/tools/tool.ts';
import type { CheckedInput, CheckedTool } from '../../core/tools/tool-types.ts';
import type { Facts, Recorded } from './facts.ts';
import type { Recording } from './recording.ts';

/** What stand-ins share. */
export interface StandInEnv {
  readonly recording: Recording;
  readonly facts: Facts;
  /** Returns the state, or its recent part: see `Log.peek`. */
  readonly peek: () => SessionState | RecentState;
  /** The calls of stand-ins that run, by id: a function that ends the call as the log says. */
  readonly running: Map<string, () => void>;
}

/**
 * Returns a tool that has the description of the log and does what the log says: the same check of the input, the same need for approval, the
 * same result.
 *
 * @param real the tool whose checks, approvals and traits are used; only its result is the recorded one
 */
export function createStandIn(spec: ToolSpec, env: StandInEnv, real?: Tool): Tool {
  const { name, description, inputSchema } = spec;
  const version = hash(name + JSON.stringify(inputSchema));
  const checkedFor = (call: ToolPart): CheckedTool => ({
    name,
    version,
    ...defined({
      approvalTimeout: approvalTimeoutOf(call, env),
      timeout: timeoutOf(env.facts.ended.get(call.callId)),
      server: env.facts.started.get(call.callId)?.server,
    }),
    check: async () => checkOf(call, env),
  });
  const tool: Tool = {
    name,
    description,
    inputSchema,
    [engine]: {
      name,
      version,
      check: real?.[engine].check ?? (async () => accepted()),
      checkAnswer: real?.[engine].checkAnswer ?? (async () => undefined),
      async decide(call, decideEnv) {
        await env.recording.until((event) => isDecisionOf(event, call));
        if (real) return real[engine].decide(call, decideEnv);
        return (await decide(call, checkedFor(call), decideEnv)).map((event) => asRecorded(event, env.facts));
      },
      execute: (call, executeEnv) => perform(call, checkedFor(call), executeEnv, env),
    },
  };
  return Object.defineProperties(tool, Object.getOwnPropertyDescriptors(real ? traitsOf(real) : traitsIn(env, name)));
}

/** Returns the end of a call with the sentence of the log: another version may have written the same reason in other words. */
function asRecorded(event: EventBody, { ended }: Facts): EventBody {
  if (event.type !== 'call.ended' || event.reason === undefined) return event;
  const recorded = ended.get(event.callId);
  if (recorded?.outcome !== event.outcome || (recorded.reason ?? event.reason) !== event.reason) return event;
  const { reason: _reason, timeout: _timeout, ...others } = event;
  const { reason, timeout, output } = recorded;
  return { ...others, ...defined({ reason, timeout, output }) };
}

/** Whether the agent decides the call with an event, and not a person. */
function isDecisionOf(event: SessionEvent, { callId }: ToolPart): boolean {
  return (
    'callId' in event &&
    event.callId === callId &&
    (event.type !== 'approval.decided' || event.decidedBy === 'policy' || event.decidedBy === 'rule')
  );
}

type Traits = Pick<Tool, 'idempotent' | 'exclusive' | 'followUp'>;

function traitsOf({ idempotent, exclusive, followUp }: Tool): Traits {
  return defined({ idempotent, exclusive, followUp });
}

/** Returns traits that let a run take the step that the log has next: the log does not contain the traits themselves. */
function traitsIn({ recording, facts, peek }: StandInEnv, name: string): Traits {
  const nameOf = (callId: string): string | undefined => facts.requested.get(callId)?.name;
  const isRunning = (): boolean => openCalls(peek()).some((call) => call.name === name && call.status === 'started');
  const nextStart = (): Recorded<'call.started'> | undefined => {
    const next = recording.upcoming();
    return next?.type === 'call.started' ? next : undefined;
  };
  return {
    get idempotent() {
      const start = nextStart();
      return start !== undefined && start.attempt > 1 && nameOf(start.callId) === name;
    },
    get exclusive() {
      const start = nextStart();
      return start === undefined || (nameOf(start.callId) !== name && !isRunning());
    },
    get followUp() {
      const next = recording.upcoming();
      return !(next?.type === 'run.ended' && next.outcome === 'completed');
    },
  };
}

function approvalTimeoutOf({ callId, status }: ToolPart, { facts, recording }: StandInEnv): number | undefined {
  const isNext = (event: SessionEvent): boolean => event.type === 'approval.requested' && event.callId === callId;
  const asked = status === 'requested' ? facts.asked.get(callId) : [...recording.ahead()].find(isNext);
  if (asked?.type !== 'approval.requested' || asked.expiresAt === undefined) return undefined;
  return asked.expiresAt - (status === 'requested' ? recording.now() : asked.at);
}

/** Returns the timeout of a call that took too long. Any timeout ends the call as the log says: an old log does not have it as a number. */
function timeoutOf(ended: Recorded<'call.ended'> | undefined): number | undefined {
  return ended?.outcome === 'timed-out' ? (ended.timeout ?? 1) : undefined;
}

/** Returns the text of a result; that of a failure is always a text. */
function textOf(ended: Recorded<'call.ended'> | undefined): string {
  return typeof ended?.output === 'string' ? ended.output : '';
}

function checkOf(
  call: ToolPart,
  { facts, recording, running }: StandInEnv,
): CheckedInput | { readonly problem: string } {
  const { callId, status } = call;
  const ended = facts.ended.get(callId);
  const asked = facts.asked.get(callId);
  const isDecided = status !== 'requested';
  const { output, summary, details } = ended ?? {};
  const text = textOf(ended);
  // Without a reason, in an old log, an invalid call whose input is an object did not fit the schema.
  const isUnfit = ended?.reason === undefined ? ended?.outcome === 'invalid' : ended.reason === 'schema';
  if (isUnfit && isDecided === (ended?.outcome === 'failed')) return { problem: text };
  return {
    ...accepted(),
    needsApproval: async () =>
      isDecided
        ? ended?.reason === 'needs-approval-now'
        : asked !== undefined || facts.decided.get(callId)?.decidedBy === 'rule',
    elicitation: () => asked?.elicitation,
    execute: () =>
      new Promise((resolve, reject) => {
        if (ended?.outcome === 'timed-out') return;
        running.set(callId, () => {
          running.delete(callId);
          const next = recording.upcoming();
          // The tool asked the person in the midst of its work.
          if (next?.type === 'approval.requested') return resolve(asQuestion(next.elicitation ?? {}));
          if (ended?.outcome === 'succeeded') resolve(output);
          else reject(new Error(text));
        });
      }),
    present: () => defined({ summary, details }),
    requiresFollowUp: () => ended?.requiresFollowUp,
  };
}

function accepted(): CheckedInput {
  return {
    needsApproval: async () => false,
    elicitation: () => undefined,
    checkAnswer: async (value) => ({ value }),
    execute: async () => undefined,
    present: () => ({}),
    requiresFollowUp: () => undefined,
  };
}

/** How versions before `reason` wrote that a call could not be recorded. */
const oldNotRecorded = 'Not run: it could not be written down first.';

/** Performs a call as the log says. */
function perform(call: ToolPart, tool: CheckedTool, executeEnv: ExecuteEnv, env: StandInEnv): Observable<EventBody> {
  const { facts, recording, running } = env;
  const { callId } = call;
  const next = recording.upcoming();
  if (next?.type === 'run.ended' && next.error)
    return new Observable((subscriber) => subscriber.error(next.error && fromErrorInfo(next.error)));
  const ended = facts.ended.get(callId);
  const { summary, details } = ended ?? {};
  return execute(call, tool, {
    ...executeEnv,
    needsApproval: undefined,
    isDecidedHere: () => ended?.reason !== 'needs-approval-now',
    present: summary === undefined ? undefined : () => ({ summary, ...defined({ details }) }),
    async flush() {
      const isRecorded =
        ended?.reason === undefined ? ended?.output !== oldNotRecorded : ended.reason !== 'not-recorded';
      if (isRecorded) return executeEnv.flush('strict');
      // What was done while the write was under way comes first.
      await recording.until(({ type }) => type === 'call.ended');
      failAsRecorded(recording);
    },
    ports: {
      now: () => recording.now(),
      delay(callback) {
        if (ended?.outcome === 'timed-out') running.set(callId, callback);
        return () => {};
      },
    },
  }).pipe(map((event) => asRecorded(event, facts)));
}

/** @throws AgentError the error with which the recorded run ends */
function failAsRecorded(recording: Recording): never {
  for (const event of recording.ahead())
    if (event.type === 'run.ended' && event.error) throw fromErrorInfo(event.error);
  return fail('STORAGE_FAILED', 'The recorded call could not be stored.');
}
