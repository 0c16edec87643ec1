import { endFor } from './end-reasons.ts';
import { type ApprovalPolicy, mustAsk } from './approval-policy.ts';
import { Observable } from 'rxjs';
import { type ErrorListener, notifyError } from '../caught-error.ts';
import { messageOf, toAgentError } from '../error.ts';
import { defined, type Json, toJson } from '../json.ts';
import { copyJson } from '../model/copy-json.ts';
import type { CallOutcome, EventBody } from '../model/event.ts';
import { type Part, type ToolPart, withoutPrefixes } from '../model/message.ts';
import { isParts } from '../model/tool-result.ts';
import { askedBy, elicitationOf } from './ask-person.ts';
import { capOutput } from './cap-output.ts';
import type { Ports } from '../ports.ts';
import type { FamilyEnv } from './family.ts';
import { createReport } from './report-thrown.ts';
import type { CheckedTool, Presentation, Presenter, ToolContext } from './tool-types.ts';

export interface ExecuteEnv extends FamilyEnv {
  readonly sessionId: string;
  readonly ports: Pick<Ports, 'delay' | 'now'>;
  /** Resolves when this tab has the lease of the session; rejects when another tab has taken the lease. */
  readonly own: () => Promise<void>;
  /** Resolves when all events so far are stored. */
  readonly flush: (durability: 'strict') => Promise<void>;
  /** Whether the run that executes the call has decided it: otherwise the page may have changed the tool since. Default: no. */
  readonly isDecidedHere?: (callId: string) => boolean;
  /** Asks for calls of all tools. */
  readonly needsApproval?: ApprovalPolicy | undefined;
  /** Makes the results of tools without a `present` presentable. */
  readonly present?: Presenter | undefined;
  /** Receives what a tool throws: the model and the log get the message only. */
  readonly onError?: ErrorListener | undefined;
}

type CallEnded = Extract<EventBody, { readonly type: 'call.ended' }>;

/**
 * Runs one approved call and emits its events, which end with its result or with a question to the person. Unsubscribing aborts the tool's signal; the result is then discarded.
 *
 * Invariant: the tool runs only after `call.started` is on disk, so that a call that a closed tab cut off is known to have started.
 *
 * Errors, without having run the tool, when `call.started` cannot be stored. An error of the tool itself is a result, `call.ended`.
 */
export function execute(call: ToolPart, tool: CheckedTool, env: ExecuteEnv): Observable<EventBody> {
  return new Observable((subscriber) => {
    const { callId } = call;
    const attempt = call.status === 'uncertain' ? (call.attempt ?? 1) + 1 : 1;
    const controller = new AbortController();
    let done = false;
    subscriber.next({ type: 'call.started', callId, attempt, ...defined({ server: tool.server }) });

    const work = async (): Promise<void> => {
      try {
        await env.own();
        await env.flush('strict');
      } catch (error) {
        subscriber.next(endFor(callId, { reason: 'not-recorded' }));
        throw error;
      }
      if (controller.signal.aborted) return;
      const progress = (value: unknown): void => {
        if (!done) subscriber.next({ type: 'call.progress', callId, progress: toJson(value) });
      };
      const ended = await run(call, tool, env, controller, { attempt, progress });
      done = true;
      subscriber.next(ended);
      subscriber.complete();
    };
    work().catch((error: unknown) => subscriber.error(toAgentError(error)));
    // An abort after the end of the call would look like a cancel to work that the tool has left behind.
    return () => {
      if (!done) controller.abort();
    };
  });
}

async function run(
  call: ToolPart,
  tool: CheckedTool,
  env: ExecuteEnv,
  controller: AbortController,
  attemptContext: Pick<ToolContext, 'attempt' | 'progress'>,
): Promise<EventBody> {
  const { callId, approval } = call;
  const { toolVersion = tool.version, answer } = approval ?? {};
  const asked = askedBy(approval?.elicitation);
  if (toolVersion !== tool.version) return endFor(callId, { reason: 'tool-changed' });
  // The user may have edited the input.
  const input = call.editedInput ?? call.input ?? {};
  const report = createReport(env.onError, call.name, { sessionId: env.sessionId, callId });
  const checked = await tool.check(input, report);
  if (checked.problem !== undefined)
    return endFor(callId, { reason: 'schema', problem: checked.problem, isStarted: true });
  const needsApproval = async (): Promise<boolean> =>
    (await mustAsk(env.needsApproval, call, report)) || (await checked.needsApproval());
  if (approval?.decidedBy === 'policy' && !env.isDecidedHere?.(callId) && (await needsApproval()))
    return endFor(callId, { reason: 'needs-approval-now' });
  const ended = (end: CallEnded): CallEnded => {
    const { outcome, output = null } = end;
    return {
      ...end,
      // Copies: input and output are those of the log.
      ...(env.present &&
        presentation(
          () => env.present?.(call.name, structuredClone(input), structuredClone(output), outcome !== 'succeeded'),
          (error) => report('`present` of the agent, for a result', error),
        )),
      ...(outcome === 'succeeded' &&
        presentation(
          () => checked.present(output),
          (error) => report('`present`', error),
        )),
      ...(outcome === 'succeeded' && defined({ requiresFollowUp: checked.requiresFollowUp(output) })),
    };
  };
  let cancelTimeout = (): void => {};
  const late = new Promise<'late'>((resolve) => {
    if (tool.timeout === undefined) return;
    cancelTimeout = env.ports.delay(() => resolve('late'), tool.timeout);
    controller.signal.addEventListener('abort', cancelTimeout);
  });
  try {
    // The check is asynchronous, and the run may have been cancelled meanwhile.
    controller.signal.throwIfAborted();
    const context = {
      signal: controller.signal,
      sessionId: env.sessionId,
      callId,
      idempotencyKey: `${env.sessionId}/${callId}`,
      ...defined({ answer: answer && structuredClone(answer) }),
      ...(asked && { state: structuredClone(asked.state ?? null) }),
      ...attemptContext,
    };
    const result = await Promise.race([checked.execute(context).then((value) => ({ value })), late]);
    if (result === 'late') {
      controller.abort();
      return ended(endFor(callId, { reason: 'timeout', timeout: tool.timeout }));
    }
    const elicitation = elicitationOf(result.value);
    if (elicitation !== undefined) {
      const expiresAt = tool.approvalTimeout && env.ports.now() + tool.approvalTimeout;
      return { type: 'approval.requested', callId, toolVersion: tool.version, ...defined({ expiresAt, elicitation }) };
    }
    return ended(toEnded(call, 'succeeded', toOutput(result.value, tool.maxOutput)));
  } catch (error) {
    if (!controller.signal.aborted)
      notifyError(env.onError, toAgentError(error, 'TOOL_FAILED'), { sessionId: env.sessionId, callId });
    return ended(toEnded(call, 'failed', messageOf(error)));
  } finally {
    cancelTimeout();
  }
}

function toOutput(value: unknown, maxOutput?: number): Json | readonly Part[] {
  const output = capOutput(toJson(value), maxOutput);
  return isParts(output) ? withoutPrefixes(output) : output;
}

function toEnded({ callId }: ToolPart, outcome: CallOutcome, output: Json | readonly Part[]): CallEnded {
  return { type: 'call.ended', callId, outcome, output };
}

/**
 * Returns a presentation that can be stored. The presentation is empty when the presenter throws or its details are not JSON.
 *
 * @param onError called with the error then
 */
function presentation(present: () => Presentation | undefined, onError: (error: unknown) => void): Presentation {
  try {
    const { summary, details } = present() ?? {};
    // A copy, as the store will return it: a later change of the tool's own object is not an event.
    return defined({ summary, details: details && copyJson(details, 'The details', 'TOOL_FAILED') });
  } catch (error) {
    onError(error);
    return {};
  }
}
