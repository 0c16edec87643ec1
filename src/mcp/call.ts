import { toAgentError } from '../core/error.ts';
import type { JsonObject } from '../core/json.ts';
import type { ToolPart } from '../core/model/message.ts';
import {
  type Asked,
  type Asker,
  checkAsked,
  isAnswered,
  isSameQuestion,
  readAsked,
  readQuestions,
  toRetry,
  withAnswer,
} from './question.ts';
import type { RequestOptions } from './exchange.ts';
import type { Peer } from './peer.ts';
import { statelessVersion } from './versions.ts';

/** The outcome of a call: its result, or questions to the person. */
export type Outcome =
  | { readonly result: JsonObject; readonly asked?: undefined }
  | { readonly asked: Asked; readonly result?: undefined };

/** The parts of `tools/call` that stay the same when the call is repeated with answers. */
export interface CallRequest {
  readonly params: JsonObject;
  readonly options: RequestOptions;
}

/** A call whose connection is open, of a revision with a session. */
interface LiveCall {
  /** Resolves when the server has answered, or asks. */
  next(): Promise<Outcome>;
  /** Sends the answer to the question that `next` has resolved with. */
  answer(response: JsonObject): void;
}

/** Times that a server may ask for a mere repetition of a call. */
const maxRepeats = 5;

/** Makes a call of the stateless revision, or continues it, until it has a result or asks the person. */
async function callStateless(
  peer: Peer,
  { params, options }: CallRequest,
  asker: Asker,
  answered?: Asked,
): Promise<Outcome> {
  const round = (answered?.round ?? 0) + 1;
  let retry = answered && toRetry(answered);
  for (let repeats = 0; repeats <= maxRepeats; repeats += 1) {
    const result = await peer.request('tools/call', { ...params, ...retry }, options);
    if (result.resultType !== 'input_required') return { result };
    const asked = readQuestions(result, round, asker);
    if (asked.requests.length > 0) return { asked };
    retry = toRetry(asked);
  }
  throw new Error(`${asker.host} asked for the same call more than ${maxRepeats} times: it was stopped.`);
}

/** Makes a call, or continues a call whose question a person has answered. */
export async function proceed(
  peer: Peer,
  request: CallRequest,
  asker: Asker,
  live: LiveContext,
  call?: ToolPart,
): Promise<Outcome> {
  const answered = call && answeredBy(call);
  if (answered && !isAnswered(answered)) return { asked: answered };
  return peer.version === statelessVersion
    ? callStateless(peer, request, asker, answered)
    : callWithSession(peer, request, asker, live, answered);
}

/** Returns the question that the call was answered for. A call that was cut off after an answer asks again: the answer may have been used. */
function answeredBy({ approval, status }: ToolPart): Asked | undefined {
  const asked = status === 'approved' || status === 'edited' ? readAsked(approval?.elicitation) : undefined;
  return asked && withAnswer(asked, approval?.answer);
}

interface OpenQuestion {
  readonly asked: Asked;
  readonly resolve: (response: JsonObject) => void;
}

/** Makes a call under a revision with a session: a question comes over the connection of the call, which stays open meanwhile. */
function callLive(peer: Peer, { params, options }: CallRequest, asker: Asker): LiveCall {
  const open: OpenQuestion[] = [];
  const controller = new AbortController();
  const stop = (): void => controller.abort(options.signal?.reason);
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener('abort', stop);
  let wake = (): void => {};
  let round = 0;
  let failure: Error | undefined;

  function ask(question: JsonObject): Promise<JsonObject> {
    return new Promise((resolve) => {
      round += 1;
      try {
        const asked = checkAsked(
          { requests: [{ key: 'question', params: question }], responses: [], live: true, round },
          asker.host,
        );
        open.push({ asked, resolve });
      } catch (thrown) {
        // The call is stopped, and no answer is sent: each would cost a request.
        failure = toAgentError(thrown, 'TOOL_FAILED');
        controller.abort(failure);
      }
      wake();
    });
  }

  const onRequest = (method: string, question: JsonObject): Promise<JsonObject> | undefined =>
    method === 'elicitation/create' && failure === undefined ? ask(question) : undefined;
  const result = peer
    .request('tools/call', params, { ...options, signal: controller.signal, onRequest })
    .finally(() => options.signal?.removeEventListener('abort', stop));
  // Observed by `next`, which may not have been called yet.
  result.catch(() => {});

  return {
    async next() {
      const asking = new Promise<Outcome>((resolve, reject) => {
        wake = () => {
          if (failure !== undefined) reject(failure);
          else if (open[0]) resolve({ asked: open[0].asked });
        };
        wake();
      });
      return Promise.race([result.then((value) => ({ result: value })), asking]);
    },
    answer: (response) => open.shift()?.resolve(response),
  };
}

/** The open connections of calls that have asked, by the call's idempotency key. */
export type LiveCalls = Map<string, LiveCall>;

/** Largest number of connections that wait for an answer. */
const maxLive = 20;

/** What `callWithSession` needs to know of a call. */
export interface LiveContext {
  readonly key: string;
  readonly liveCalls: LiveCalls;
  /** Whether a call may be made again when its connection has gone. */
  readonly repeatable: boolean;
}

/**
 * Makes a call, or answers its question, under a revision with a session. Where the connection that asked has gone (the page was
 * reloaded, another tab answers), a repeatable call is made again, and the same question gets the same answer.
 *
 * Rejects where the connection has gone and the call is not repeatable.
 */
async function callWithSession(
  peer: Peer,
  request: CallRequest,
  asker: Asker,
  { key, liveCalls, repeatable }: LiveContext,
  answered?: Asked,
): Promise<Outcome> {
  const [response] = answered?.responses ?? [];
  const found = answered && liveCalls.get(key);
  if (answered && !found && !repeatable)
    throw new Error(
      `Not finished: ${asker.host} asked over a connection that has closed, so it got no answer and may have done part of the work. Ask the person before you call the tool again.`,
    );
  const call = found ?? callLive(peer, request, asker);
  liveCalls.delete(key);
  if (found && response) found.answer(response);
  let outcome = await call.next();
  if (!found && answered && response && outcome.asked && isSameQuestion(outcome.asked, answered)) {
    call.answer(response);
    outcome = await call.next();
  }
  if (outcome.asked) {
    const [oldest] = liveCalls.keys();
    if (liveCalls.size >= maxLive && oldest !== undefined) liveCalls.delete(oldest);
    liveCalls.set(key, call);
  }
  return outcome;
}
