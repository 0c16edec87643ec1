import { endFor } from '../tools/end-reasons.ts';
import { defer, Observable, switchMap } from 'rxjs';
import { sendChecked } from '../client-door.ts';
import { freeze } from '../freeze.ts';
import { AgentError, toAgentError } from '../error.ts';
import type { PreparedRequest } from '../context/prepare-request.ts';
import type { LLMClient } from '../model/llm.ts';
import { interfaceKey } from '../model/interface-of.ts';
import { toReplyEvents } from './reply.ts';
import type { EventBody } from '../model/event.ts';
import type { SessionState } from '../model/state.ts';
import type { Ports } from '../ports.ts';
import type { ToolPart } from '../model/message.ts';
import type { DecideEnv } from '../tools/decide.ts';
import type { ExecuteEnv } from '../tools/execute.ts';
import { engine, type Tool } from '../tools/tool.ts';
import type { RunContext } from '../context/run-context.ts';
import { defined, isJsonObject } from '../json.ts';
import type { RunStep } from '../model/next.ts';

/** What the steps of a run need: model client, tools, context, store and ports. */
export interface RunEnv extends DecideEnv, ExecuteEnv {
  /** Returns the client that answers the next request. */
  readonly getClient: () => LLMClient;
  readonly tools: Pick<ReadonlyMap<string, Tool>, 'get' | 'keys'>;
  readonly toRequest: (state: SessionState) => PreparedRequest;
  readonly context: RunContext;
  /** Resolves when every event appended so far is stored; rejects with the error of the store. */
  readonly flush: (durability: 'relaxed' | 'strict') => Promise<void>;
  readonly ports: Pick<Ports, 'now' | 'id' | 'delay'>;
}

/** Performs one step of a run and emits the resulting events. All effects of a run are here; unsubscribing aborts them. */
export function perform(
  step: Extract<RunStep, { readonly do: 'ask' | 'compact' | 'decide' | 'execute' }>,
  env: RunEnv,
): Observable<EventBody> {
  switch (step.do) {
    case 'ask':
      return ask(env.log.getState(), env);
    case 'compact':
      return compact(env.log.getState(), env);
    case 'decide':
      return decide(step.call, env);
    case 'execute':
      return execute(step.call, env);
  }
}

/** A summary is a request, too: no tab sends one before it has the lease. */
function compact(state: SessionState, env: RunEnv): Observable<EventBody> {
  return defer(() => whenStored(env)).pipe(switchMap(() => env.context.compact(state)));
}

function decide(call: ToolPart, env: RunEnv): Observable<EventBody> {
  const named = env.tools.get(call.name);
  const tool = named && isOffered(call, named, env) ? named : undefined;
  return new Observable((subscriber) => {
    const decided = tool?.[engine].decide(call, env) ?? Promise.resolve([unknownTool(call, env)]);
    decided.then(
      (events) => {
        for (const event of events) subscriber.next(event);
        subscriber.complete();
      },
      (error: unknown) => subscriber.error(error),
    );
  });
}

/**
 * Whether the tool is one that the author of a call may call. An interface calls tools of its own server only, and only with the message that it
 * sent here: a tool of the page, or of another server, may have got the name since.
 */
function isOffered({ provider }: ToolPart, { [engine]: { server } }: Tool, { log }: RunEnv): boolean {
  if (!isJsonObject(provider) || provider[interfaceKey] === undefined) return true;
  const { messages, run } = log.getState();
  const origin = messages.find(({ id }) => id === run?.promptId)?.origin;
  return origin?.type === 'interface' && server !== undefined && origin.server === server;
}

const unknownTool = ({ callId, name }: ToolPart, { tools }: RunEnv): EventBody =>
  endFor(callId, { reason: 'unknown-tool', name, known: [...tools.keys()] });

function execute(call: ToolPart, env: RunEnv): Observable<EventBody> {
  const message = `The agent has no tool "${call.name}": resume the run when the tool is there.`;
  return (
    env.tools.get(call.name)?.[engine].execute(call, env) ??
    new Observable((subscriber) => subscriber.error(new AgentError(message, { code: 'TOOL_NOT_FOUND' })))
  );
}

function ask(state: SessionState, env: RunEnv): Observable<EventBody> {
  return new Observable((subscriber) => {
    begin();

    function begin(): void {
      // The request is made for this client, whatever is chosen before it is sent.
      const client = env.getClient();
      let prepared: PreparedRequest;
      try {
        prepared = prepare(state, env);
      } catch (thrown) {
        return fail(thrown);
      }
      const counting = env.context.counting?.();
      if (counting === undefined) return send(prepared, client);
      // The sizes of the request are in the log: they are exact.
      counting.then(() => subscriber.closed || begin(), fail);
    }

    function send({ request, changes, record, context }: PreparedRequest, client: LLMClient): void {
      for (const change of changes) subscriber.next(change);
      subscriber.next({ type: 'reply.started', messageId: env.ports.id(), ...defined({ context }), request: record });
      whenStored(env)
        .then(() => {
          if (subscriber.closed) return;
          const chunks$ = sendChecked(client, freeze(request));
          subscriber.add(
            toReplyEvents(chunks$, env.ports.id).subscribe({
              next: (event) => subscriber.next(event),
              error: fail,
              complete: () => subscriber.complete(),
            }),
          );
        })
        .catch(fail);
    }

    // A client may throw anything.
    function fail(thrown: unknown): void {
      subscriber.error(toAgentError(thrown, 'LLM_API_ERROR'));
    }
  });
}

/** @throws AgentError `INVALID_CONFIG` where a function of the page throws, `scratch` or `countTokens` for example */
function prepare(state: SessionState, { toRequest }: RunEnv): PreparedRequest {
  try {
    return toRequest(state);
  } catch (thrown) {
    throw toAgentError(thrown, 'INVALID_CONFIG');
  }
}

/** ms that a request waits at most for its events to be stored. */
const longestWait = 1_000;

/**
 * Resolves when the request may be sent: this tab has the lease, and the events of the request are stored. A full or slow disk
 * does not stop the request; rejects with `STORAGE_CONFLICT` when another tab was first.
 */
async function whenStored({ own, flush, ports }: RunEnv): Promise<void> {
  await own();
  let cancelTimer = (): void => {};
  const timeout = new Promise<void>((resolve) => (cancelTimer = ports.delay(resolve, longestWait)));
  try {
    await Promise.race([flush('relaxed'), timeout]);
  } catch (thrown) {
    const error = toAgentError(thrown, 'STORAGE_FAILED');
    if (error.code === 'STORAGE_CONFLICT') throw error;
  } finally {
    cancelTimer();
  }
}
