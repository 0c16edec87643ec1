import { BehaviorSubject, Observable, type Subscription } from 'rxjs';
import { AgentError, fail, toAgentError } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../core/model/llm.ts';
import { named } from '../core/model/shapes/named.ts';
import { word } from '../core/model/shapes/fields.ts';
import { callable, maybe, range } from '../core/model/shapes/shape.ts';
import { type ChunkSource, createClientFromChunks } from './client-from-chunks.ts';
import { createFairQueue } from './fair-queue.ts';
import { checkOptions } from './transport/check-options.ts';

/** A loaded model: a client, that of `createAISDKClient` for example, or what `createClientFromChunks` takes. */
export type LoadedEngine =
  | LLMClient
  | ((request: LLMRequest, signal: AbortSignal) => ChunkSource | Promise<ChunkSource>);

/** What runs a model in this page or worker. */
export interface LocalEngine {
  /**
   * Loads the model. Called with the first request, and again after a failure or after `reload`.
   *
   * @param progress reports the part that is loaded, from 0 to 1
   */
  readonly load: (progress: (done: number) => void) => Promise<LoadedEngine>;
  /** Releases the memory of the model. Called before it is loaded again, and by `unload`. */
  readonly unload?: () => void | Promise<void>;
  /** See `LLMClient.origin`. Default: none. */
  readonly origin?: string;
}

/** Options of `createLocalClient`. */
export interface LocalClientOptions {
  /** ms without a chunk after which an answer fails with `REQUEST_TIMEOUT`, and the model is loaded again for the next one. Default 120,000; `Infinity` for none. */
  readonly timeout?: number;
  /** ms without progress after which loading fails with `REQUEST_TIMEOUT`. Default 300,000; `Infinity` for none. */
  readonly loadTimeout?: number;
}

/** What a local model does. `waiting`: requests that wait for their turn. */
export type LocalStatus = LocalState & { readonly waiting: number };

type LocalState =
  | { readonly state: 'idle' | 'ready' }
  /** `progress`: the part that is loaded, from 0 to 1. */
  | { readonly state: 'loading'; readonly progress: number }
  | { readonly state: 'answering'; readonly sessionId: string }
  | { readonly state: 'failed'; readonly error: AgentError };

/** A client of one model in this page or worker. */
export interface LocalClient extends LLMClient {
  /** Emits the current value on subscription. */
  readonly status$: Observable<LocalStatus>;
  readonly getStatus: () => LocalStatus;
  /** Loads the model before the first request. Rejects as a request errors. */
  load(): Promise<void>;
  /** Releases the model. The next request loads it again. */
  unload(): Promise<void>;
}

/**
 * Creates a client of a model that runs in this page, or once for all tabs in a worker (`hostAgent`): one engine, which answers one request at a time. Requests
 * of several sessions take turns, whichever asked more often. To unsubscribe takes a request from the queue, or aborts its answer.
 *
 *     createLocalClient({
 *       load: async (progress) => {
 *         const model = webLLM('Llama-3.2-1B-Instruct-q4f16_1-MLC');
 *         await model.createSessionWithProgress(progress);
 *         return createAISDKClient(model);
 *       },
 *     })
 *
 * An answer errors with what the engine throws (`LLM_API_ERROR` where that is not an AgentError), with `MODEL_NOT_READY` where the model cannot be loaded, and with
 * `REQUEST_TIMEOUT`.
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type
 */
export function createLocalClient(engine: LocalEngine, options: LocalClientOptions = {}): LocalClient {
  const { load, unload, origin } = named(engine, { load: true, unload: true, origin: true }, 'createLocalClient');
  const names = { timeout: true, loadTimeout: true };
  const { timeout = 120_000, loadTimeout = 300_000 } = named(options, names, 'createLocalClient');
  const ms = range(1, Infinity);
  checkOptions(
    { load, unload, origin, timeout, loadTimeout },
    { load: callable, unload: maybe(callable), origin: maybe(word), timeout: ms, loadTimeout: ms },
    'createLocalClient',
  );
  const queue = createFairQueue(() => status.next({ ...status.value, waiting: queue.waiting() }));
  const status = new BehaviorSubject<LocalStatus>({ state: 'idle', waiting: 0 });
  let loading: Promise<LLMClient> | undefined;
  let releasing: Promise<void> = Promise.resolve();
  /** Number of the present load: what an earlier one still reports is of no interest. */
  let loads = 0;

  function set(next: LocalState): void {
    status.next({ ...next, waiting: queue.waiting() });
  }

  async function prepare(): Promise<LLMClient> {
    const nth = ++loads;
    set({ state: 'loading', progress: 0 });
    await releasing;
    const limit = createLimit(loadTimeout, 'The local model made no progress while it was being loaded.');
    const progress = (done: number): void => {
      if (nth !== loads || limit.isOver()) return;
      limit.restart();
      set({ state: 'loading', progress: Math.min(1, Math.max(0, done || 0)) });
    };
    try {
      const loaded = await Promise.race([load(progress), limit.reached]);
      const client = toClient(loaded, origin);
      if (nth === loads) set({ state: 'ready' });
      return client;
    } catch (thrown) {
      const error = toLoadError(thrown);
      if (nth === loads) {
        loading = undefined;
        set({ state: 'failed', error });
      }
      throw error;
    } finally {
      limit.stop();
    }
  }

  const ready = (): Promise<LLMClient> => (loading ??= prepare());

  async function release(): Promise<void> {
    if (loading === undefined) return;
    loading = undefined;
    loads++;
    set({ state: 'idle' });
    const released = (async () => unload?.())();
    releasing = released.catch(() => {});
    await released;
  }

  /** Begins an answer. `free` is called when the engine has nothing to do for it any more. */
  function answer(
    request: LLMRequest,
    subscriber: Pick<Subscription, 'add' | 'closed'> & Sink,
    free: () => void,
  ): void {
    let isFree = false;
    const end = (): void => {
      if (isFree) return;
      isFree = true;
      if (status.value.state === 'answering') set({ state: 'ready' });
      free();
    };
    subscriber.add(end);
    ready().then(
      (client) => {
        if (subscriber.closed) return end();
        set({ state: 'answering', sessionId: request.sessionId });
        const limit = createLimit(timeout, 'The local model has said nothing for too long.');
        subscriber.add(limit.stop);
        limit.reached.catch((error: unknown) => {
          // An engine that hangs answers nothing more: the next request has a new one.
          release().catch(() => {});
          subscriber.error(error);
        });
        subscriber.add(
          client.sendRequest(request).subscribe({
            next: (chunk) => {
              limit.restart();
              subscriber.next(chunk);
            },
            error: (thrown: unknown) => subscriber.error(toAgentError(thrown, 'LLM_API_ERROR')),
            complete: () => subscriber.complete(),
          }),
        );
      },
      (error: unknown) => subscriber.error(error),
    );
  }

  return {
    ...defined({ origin }),
    status$: status.asObservable(),
    getStatus: () => status.value,
    async load() {
      await ready();
    },
    unload: release,
    sendRequest: (request) =>
      new Observable<LLMChunk>((subscriber) => {
        let leave = (): void => {};
        subscriber.add(() => leave());
        leave = queue.enter(request.sessionId, (free) => answer(request, subscriber, free));
        if (subscriber.closed) leave();
      }),
  };
}

interface Sink {
  next(chunk: LLMChunk): void;
  error(error: unknown): void;
  complete(): void;
}

/** @throws AgentError `INVALID_CONFIG` for a value that is neither a client nor a function */
function toClient(loaded: LoadedEngine, origin: string | undefined): LLMClient {
  if (typeof loaded === 'function') return createClientFromChunks(loaded, defined({ origin }));
  if (typeof loaded?.sendRequest === 'function') return loaded;
  return fail('INVALID_CONFIG', '`load` of createLocalClient must resolve with a client, or a function that answers.');
}

function toLoadError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const { message } = toAgentError(thrown);
  return new AgentError(`The local model could not be loaded: ${message}`, { code: 'MODEL_NOT_READY', cause: thrown });
}

/** A time that begins again with each sign of life. `reached` rejects with `REQUEST_TIMEOUT` after it. */
function createLimit(ms: number, message: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let reject = (_error: AgentError): void => {};
  const reached = new Promise<never>((_resolve, refuse) => (reject = refuse));
  reached.catch(() => {});
  function stop(): void {
    clearTimeout(timer);
  }
  function restart(): void {
    stop();
    if (ms === Infinity) return;
    timer = setTimeout(
      () => {
        isOver = true;
        reject(new AgentError(message, { code: 'REQUEST_TIMEOUT' }));
      },
      Math.min(ms, 2 ** 31 - 1),
    );
  }
  restart();
  return { reached, restart, stop, isOver: () => isOver };
}
