import { Observable } from 'rxjs';
import { AgentError, fail } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { EventBody } from '../core/model/event.ts';
import type { ToolPart } from '../core/model/message.ts';
import type { Budget } from '../core/model/settings.ts';
import type { Ports } from '../core/ports.ts';
import { execute, type ExecuteEnv } from '../core/tools/execute.ts';
import type { ChildSession } from '../core/tools/family.ts';
import type { CheckedTool, ToolContext } from '../core/tools/tool-types.ts';
import { drive } from './drive.ts';
import { type End, toEnd } from './to-end.ts';

interface AgentCall {
  readonly agentOf: () => object;
  readonly budget: Budget | undefined;
  readonly maxDepth: number;
}

/**
 * Runs a call in a session of its own, and emits the events of the call. A second attempt at the call finds the session of the first one by
 * its id, and continues it.
 */
export function executeInSession(
  call: ToolPart,
  env: ExecuteEnv,
  inner: CheckedTool,
  { agentOf, budget, maxDepth }: AgentCall,
): Observable<EventBody> {
  const { callId } = call;
  const { family, ports, sessionId, stop } = env;
  const id = `${sessionId}/${callId}`;
  let end: End | undefined;

  async function work({ signal }: ToolContext, prompt: string): Promise<string> {
    if (family === undefined) return fail('TOOL_FAILED', 'An agent as a tool needs a session of an agent.');
    const path = [...family.path, { sessionId, callId }];
    if (path.length >= maxDepth)
      fail('TOO_DEEP', `${call.name} is ${maxDepth} sessions deep and can start no further one: answer without it.`);
    // The sessions beside this one have used a part of the budget, also in another tab and before a reload.
    await family.openTree();
    signal.throwIfAborted();
    const child = await family.open({ id, path, agent: agentOf() });
    const leave = async (): Promise<void> => {
      if ((await family.whenLeft(callId)) === 'open') child.interrupt();
      else child.cancel();
    };
    if (signal.aborted) return leave().then(() => '');
    signal.addEventListener('abort', () => void leave(), { once: true });
    await drive(child, prompt, budget, signal);
    await whenStored(child, ports);
    end = toEnd(call.name, child.getState());
    if (end.type === 'done') return end.text;
    throw new AgentError(end.message, { code: 'TOOL_FAILED' });
  }

  const checked: CheckedTool = {
    ...inner,
    async check(input, report) {
      const valid = await inner.check(input, report);
      if (valid.problem !== undefined) return valid;
      return { ...valid, execute: async (context) => work(context, String(await valid.execute(context))) };
    },
  };

  return new Observable((subscriber) => {
    subscriber.add(
      execute(call, checked, env).subscribe({
        next(event) {
          if (event.type === 'call.started') return subscriber.next({ ...event, session: id });
          if (event.type !== 'call.ended') return subscriber.next(event);
          if (end?.type === 'stopped' && event.outcome === 'failed') {
            const { account, ...rest } = end.stop;
            return stop?.(callId, account === undefined || account === sessionId ? rest : { ...rest, account });
          }
          const { decidedAt, ...spent } = family?.spendingOf(id) ?? {};
          const outcome = end?.type === 'cancelled' && event.outcome === 'failed' ? 'cancelled' : event.outcome;
          subscriber.next({ ...event, outcome, ...('tokens' in spent && { spent }), ...defined({ decidedAt }) });
          family?.leave(id);
        },
        error: (thrown: unknown) => subscriber.error(thrown),
        complete: () => subscriber.complete(),
      }),
    );
  });
}

/** ms that the end of a call waits at most for that of its session to be stored. */
const longestWait = 1_000;

/** A session whose call has ended is not read as running: its end is stored before that of its call, where the disk lets it. */
async function whenStored(child: ChildSession, { delay }: Pick<Ports, 'delay'>): Promise<void> {
  let cancelTimer = (): void => {};
  const late = new Promise<void>((resolve) => (cancelTimer = delay(resolve, longestWait)));
  await Promise.race([child.flushed().catch(() => {}), late]);
  cancelTimer();
}
