import { Observable } from 'rxjs';
import { AgentError, toAgentError } from '../error.ts';
import type { PreparedRequest } from '../context/prepare-request.ts';
import type { LLMClient } from '../model/llm.ts';
import { toReplyEvents } from './reply.ts';
import type { EventBody } from '../model/event.ts';
import type { SessionState } from '../model/state.ts';
import type { Ports } from '../ports.ts';
import type { ToolPart } from '../model/message.ts';
import type { DecideEnv } from '../tools/decide.ts';
import type { ExecuteEnv } from '../tools/execute.ts';
import { engine, type Tool } from '../tools/tool.ts';
import type { RunContext } from '../context/lazy.ts';
import { defined } from '../json.ts';
import type { Step } from '../model/next.ts';

/** What a run acts with. */
export interface RunEnv extends Omit<DecideEnv, 'approvalRules'>, ExecuteEnv {
  readonly client: LLMClient;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toRequest: (state: SessionState) => PreparedRequest;
  readonly context: RunContext;
  /** Settles when everything that has happened so far is in the store. */
  readonly flush: (durability: 'relaxed' | 'strict') => Promise<void>;
  readonly ports: Pick<Ports, 'id' | 'delay'>;
}

/** Does what a step says, and tells what happens: the only place with effects. Unsubscribing aborts them. */
export function perform(
  step: Extract<Step, { readonly do: 'ask' | 'compact' | 'decide' | 'execute' }>,
  state: SessionState,
  env: RunEnv,
): Observable<EventBody> {
  switch (step.do) {
    case 'ask':
      return ask(state, env);
    case 'compact':
      return env.context.compact(state);
    case 'decide':
      return decide(step.call, state, env);
    case 'execute':
      return execute(step.call, env);
  }
}

function decide(call: ToolPart, { approvalRules }: SessionState, env: RunEnv): Observable<EventBody> {
  const tool = env.tools.get(call.name);
  return new Observable((subscriber) => {
    const decided =
      tool === undefined
        ? Promise.resolve([unknownTool(call, env.tools)])
        : tool[engine].decide(call, { ...env, approvalRules });
    decided.then(
      (events) => {
        for (const event of events) subscriber.next(event);
        subscriber.complete();
      },
      (error: unknown) => subscriber.error(error),
    );
  });
}

function unknownTool({ callId, name }: ToolPart, tools: ReadonlyMap<string, Tool>): EventBody {
  const output = `There is no tool ${JSON.stringify(name.slice(0, 64))}. There are: ${[...tools.keys()].join(', ') || 'none'}.`;
  return { type: 'call.ended', callId, outcome: 'invalid', output };
}

function execute(call: ToolPart, env: RunEnv): Observable<EventBody> {
  const message = `The tool "${call.name}" is gone. Resume when the agent has it again.`;
  return (
    env.tools.get(call.name)?.[engine].execute(call, env) ??
    new Observable((subscriber) => subscriber.error(new AgentError(message, { code: 'TOOL_NOT_FOUND' })))
  );
}

function ask(state: SessionState, env: RunEnv): Observable<EventBody> {
  return new Observable((subscriber) => {
    const { request, changes, record, context } = env.toRequest(state);
    for (const change of changes) subscriber.next(change);
    subscriber.next({ type: 'reply.started', messageId: env.ports.id(), ...defined({ context }), request: record });
    written(env)
      .then(() => {
        if (subscriber.closed) return;
        const chunks$ = env.client.sendRequest(request);
        subscriber.add(toReplyEvents(chunks$, env.ports.id).subscribe(subscriber));
      })
      .catch((error: unknown) => subscriber.error(error));
  });
}

/** ms that a question waits for its place on disk. */
const patience = 1_000;

/** The question is on disk before it is asked. A full or slow disk does not silence the agent; another owner of the session does. */
async function written({ own, flush, ports }: RunEnv): Promise<void> {
  await own();
  let callOff = (): void => {};
  const enough = new Promise<void>((resolve) => (callOff = ports.delay(resolve, patience)));
  try {
    await Promise.race([flush('relaxed'), enough]);
  } catch (thrown) {
    const error = toAgentError(thrown, 'STORAGE_FAILED');
    if (error.code === 'STORAGE_CONFLICT') throw error;
  } finally {
    callOff();
  }
}
