import { Observable } from 'rxjs';
import { messageOf, toAgentError } from '../error.ts';
import { defined, type Json, toJson } from '../json.ts';
import type { CallOutcome, EventBody } from '../model/event.ts';
import type { ToolDetails, ToolPart } from '../model/message.ts';
import type { Ports } from '../ports.ts';
import type { CheckedTool, Presentation, Presenter, ToolContext } from './checked-tool.ts';

export interface ExecuteEnv {
  readonly sessionId: string;
  readonly ports: Pick<Ports, 'delay'>;
  /** Settles when no other tab runs the session; rejects when one has taken it. */
  readonly own: () => Promise<void>;
  /** Settles when everything that was emitted so far is on disk. */
  readonly flush: (durability: 'strict') => Promise<void>;
  /** Makes results presentable where their tool does not. */
  readonly present?: Presenter | undefined;
}

type CallEnded = Extract<EventBody, { readonly type: 'call.ended' }>;

/**
 * Runs one call that was let through. First says `call.started`, and only when that is on disk does anything happen: a tab that
 * dies in between leaves a call that is known to have begun. Unsubscribing aborts the tool's signal; what it gives back then is lost.
 *
 * Errors, without having run, where `call.started` cannot be stored. What the tool itself does wrong is a result.
 */
export function execute(call: ToolPart, tool: CheckedTool, env: ExecuteEnv): Observable<EventBody> {
  return new Observable((subscriber) => {
    const { callId } = call;
    const attempt = call.status === 'uncertain' ? (call.attempt ?? 1) + 1 : 1;
    const controller = new AbortController();
    let done = false;
    subscriber.next({ type: 'call.started', callId, attempt });

    const work = async (): Promise<void> => {
      try {
        await env.own();
        await env.flush('strict');
      } catch (error) {
        subscriber.next(toEnded(call, 'failed', 'Not run: it could not be written down first.'));
        throw error;
      }
      if (controller.signal.aborted) return;
      const progress = (news: unknown): void => {
        if (!done) subscriber.next({ type: 'call.progress', callId, progress: toJson(news) });
      };
      const ended = await run(call, tool, env, controller, { attempt, progress });
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

async function run(
  call: ToolPart,
  tool: CheckedTool,
  env: ExecuteEnv,
  controller: AbortController,
  news: Pick<ToolContext, 'attempt' | 'progress'>,
): Promise<CallEnded> {
  const { callId, approval: { toolVersion = tool.version, answer } = {} } = call;
  if (toolVersion !== tool.version)
    return toEnded(
      call,
      'failed',
      'Not run: the tool has changed since a person agreed. Call it again to ask them anew.',
    );
  // A person may have edited the input.
  const input = call.editedInput ?? call.input ?? {};
  const checked = await tool.check(input);
  if (checked.problem !== undefined) return toEnded(call, 'failed', `The input does not fit: ${checked.problem}`);
  const ended = (outcome: CallOutcome, output: Json): CallEnded => ({
    ...toEnded(call, outcome, output),
    ...presentation(() => env.present?.(call.name, input, output, outcome !== 'succeeded')),
    ...(outcome === 'succeeded' && presentation(() => checked.present(output))),
  });
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
      ...defined({ answer }),
      ...news,
    };
    const result = await Promise.race([checked.execute(context).then((value) => ({ value })), late]);
    if (result === 'late') {
      controller.abort();
      return ended('timed-out', `The tool took longer than ${tool.timeout} ms and was stopped.`);
    }
    return ended('succeeded', toJson(result.value));
  } catch (error) {
    return ended('failed', messageOf(error));
  } finally {
    callOff();
  }
}

function toEnded({ callId }: ToolPart, outcome: CallOutcome, output: Json): CallEnded {
  return { type: 'call.ended', callId, outcome, output };
}

/** A presenter that throws, or makes what cannot be stored, costs the presentation only. */
function presentation(present: () => Presentation | undefined): Presentation {
  try {
    const { summary, details } = present() ?? {};
    // A copy, as it will be read from the store: what the tool does to its own later is no event.
    const copy: ToolDetails | undefined = details && JSON.parse(JSON.stringify(toJson(details)));
    return defined({ summary, details: copy });
  } catch {
    return {};
  }
}
