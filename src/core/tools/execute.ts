import { Observable } from 'rxjs';
import { AgentError, messageOf, toAgentError } from '../error.ts';
import { defined, type Json, toJson } from '../json.ts';
import type { CallOutcome, EventBody } from '../log/event.ts';
import type { Part, ToolDetails, ToolPart } from '../message.ts';
import type { Ports } from '../ports.ts';
import type { CheckedInput, Presentation, Tool } from './tool.ts';

export interface ExecuteEnv {
  readonly sessionId: string;
  readonly ports: Pick<Ports, 'delay'>;
  /** Settles when no other tab runs the session; rejects when one has taken it. */
  readonly own: () => Promise<void>;
  /** Settles when everything that was emitted so far is on disk. */
  readonly flush: (durability: 'strict') => Promise<void>;
}

type CallEnded = Extract<EventBody, { readonly type: 'call.ended' }>;

/**
 * Runs one call that was let through. First says `call.started`, and only when that is on disk does anything happen: a tab that
 * dies in between leaves a call that is known to have begun. Unsubscribing aborts the tool's signal; what it gives back then is lost.
 *
 * Errors, without having run, where the tool is gone or `call.started` cannot be stored. What the tool itself does wrong is a result.
 */
export function execute(call: ToolPart, tool: Tool | undefined, env: ExecuteEnv): Observable<EventBody> {
  return new Observable((subscriber) => {
    if (tool === undefined) {
      const message = `The tool "${call.name}" is gone. Resume when the agent has it again.`;
      subscriber.error(new AgentError(message, { code: 'TOOL_NOT_FOUND' }));
      return;
    }
    const { callId } = call;
    const controller = new AbortController();
    let done = false;
    subscriber.next({ type: 'call.started', callId, attempt: 1 });

    const work = async (): Promise<void> => {
      try {
        await env.own();
        await env.flush('strict');
      } catch (error) {
        subscriber.next(toEnded(call, 'failed', 'Not run: it could not be written down first.'));
        throw error;
      }
      if (controller.signal.aborted) return;
      const ended = await run(call, tool, env, controller);
      done = true;
      subscriber.next(ended);
      subscriber.complete();
    };
    work().catch((error: unknown) => subscriber.error(toAgentError(error)));
    // To what a tool has left behind when it was done, an abort would look like a cancel.
    return () => {
      if (!done) controller.abort();
    };
  });
}

async function run(call: ToolPart, tool: Tool, env: ExecuteEnv, controller: AbortController): Promise<CallEnded> {
  const { callId } = call;
  // A person may have edited the input, and the tool may have changed since the call was let through.
  const checked = await tool.check(call.editedInput ?? call.input ?? {});
  if (checked.problem !== undefined) return toEnded(call, 'failed', `The input does not fit: ${checked.problem}`);
  let callOff = (): void => {};
  const late = new Promise<'late'>((resolve) => {
    if (tool.timeout !== undefined) callOff = env.ports.delay(() => resolve('late'), tool.timeout);
    controller.signal.addEventListener('abort', () => callOff());
  });
  try {
    // Checking takes its time, and the run may have been cancelled meanwhile.
    controller.signal.throwIfAborted();
    const context = {
      signal: controller.signal,
      sessionId: env.sessionId,
      callId,
      idempotencyKey: `${env.sessionId}/${callId}`,
      attempt: 1,
    };
    const result = await Promise.race([checked.execute(context).then((value) => ({ value })), late]);
    if (result === 'late') {
      controller.abort();
      return toEnded(call, 'timed-out', `The tool took longer than ${tool.timeout} ms and was stopped.`);
    }
    const output = toJson(result.value);
    return { ...toEnded(call, 'succeeded', output), ...presentation(checked, output) };
  } catch (error) {
    return toEnded(call, 'failed', messageOf(error));
  } finally {
    callOff();
  }
}

function toEnded({ callId }: ToolPart, outcome: CallOutcome, output: Json): CallEnded {
  return { type: 'call.ended', callId, outcome, output };
}

/** A presenter that throws, or makes what cannot be stored, costs the presentation only. */
function presentation(checked: CheckedInput, output: Json | readonly Part[]): Presentation {
  try {
    const { summary, details } = checked.present(output);
    // A copy, as it will be read from the store: what the tool does to its own later is no event.
    const copy: ToolDetails | undefined = details && JSON.parse(JSON.stringify(toJson(details)));
    return defined({ summary, details: copy });
  } catch {
    return {};
  }
}
