import { Observable } from 'rxjs';
import { AgentError } from '../../../core/error.ts';
import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import type { LLMChunk, LLMRequest } from '../../../core/model/llm.ts';
import { toObject, toText } from '../../../core/model/read-json.ts';
import { isMedia, resultMedia } from '../../../core/model/tool-result.ts';
import { browserPorts, type Ports } from '../../../core/ports.ts';
import { reportError } from '../../transport/cut.ts';
import { classifyThrown, HttpError } from '../../transport/error-response.ts';
import type { ExchangeOptions } from '../../transport/exchange.ts';
import { withHost } from '../../transport/provider-data.ts';
import { redactError } from '../../transport/redact.ts';
import { createWatchdog, defaultTimeouts, type Timeouts, type Watchdog } from '../../transport/watchdog.ts';
import { isUnsupported, toAISDKError } from './error.ts';
import { load } from './loading.ts';
import type { AISDKModel } from './model.ts';
import type { PromptTarget } from './prompt.ts';
import { toCallOptions } from './request.ts';
import { createPartReader } from './response.ts';
import { traitsOf } from './traits.ts';

/** How a model is asked. */
export interface Asking extends Pick<ExchangeOptions, 'timeouts' | 'limits' | 'delay'> {
  /** The provider, and where it is: metadata and ids return to it. */
  readonly host: string;
  readonly stream: boolean;
  readonly now?: Ports['now'];
  readonly onWarning?: ((warning: string) => void) | undefined;
  readonly onLoad?: ((progress: number) => void) | undefined;
}

/**
 * Asks a model and emits its answer as it arrives. Each subscription is one call of the model. Unsubscribing aborts the signal of the call
 * once, and cancels its stream. Errors with AgentError only.
 */
export function askModel(model: AISDKModel, request: LLMRequest, asking: Asking): Observable<LLMChunk> {
  const { host, delay = browserPorts.delay, now = browserPorts.now, timeouts, limits, onWarning, onLoad } = asking;
  return new Observable((subscriber) => {
    const controller = new AbortController();
    let watchdog: Watchdog | undefined;
    let close = (): void => {};
    let answered = false;
    let begun = false;
    let ended = false;

    const reader = createPartReader({
      host,
      limits,
      longest: limits?.stream,
      onWarning,
      toError: (body) => new HttpError({ host, body }),
      emit(chunk) {
        begun = true;
        watchdog?.content();
        subscriber.next(withHost(chunk, host));
      },
    });

    async function run(): Promise<void> {
      await load(model, onLoad && ((progress) => void (subscriber.closed || onLoad(progress))));
      // Nothing is generated after a cancel while the model was loading.
      if (subscriber.closed) return;
      watchdog = createWatchdog({ ...defaultTimeouts, ...timeouts }, delay, onTimeout);
      const parts = await open(model, request, asking, controller.signal);
      answered = true;
      close = () => void parts.cancel().catch(() => {});
      if (subscriber.closed) return close();
      for (let part = await parts.read(); !part.done && !subscriber.closed; part = await parts.read()) {
        watchdog.alive();
        reader.read(part.value);
      }
      reader.end();
    }

    function onTimeout(which: keyof Timeouts): void {
      // The answer is complete, but the model left the stream open.
      if (reader.complete) {
        ended = true;
        close();
        return subscriber.complete();
      }
      const message = `${host} has sent nothing for too long (timeouts.${which}).`;
      const timeout = answered ? which : 'connect';
      subscriber.error(new AgentError(message, { code: 'REQUEST_TIMEOUT', retryable: !begun, timeout }));
    }

    run().then(
      () => {
        ended = true;
        subscriber.complete();
      },
      async (thrown: unknown) => {
        const error = redactError(classifyThrown(toAISDKError(thrown, { host, answered, begun }), now()), []);
        reportError(subscriber, error, delay);
      },
    );
    return () => {
      watchdog?.stop();
      // A model that runs in the page would interrupt what it does next.
      if (ended) return;
      controller.abort();
      close();
    };
  });
}

/** Calls a model, and again with older media in words where its package refuses what the conversation contains. */
async function open(
  model: AISDKModel,
  request: LLMRequest,
  { host, stream }: Asking,
  abortSignal: AbortSignal,
): Promise<PartSource> {
  const target: PromptTarget = {
    ...traitsOf(model),
    host,
    version: model.specificationVersion,
    urls: (await model.supportedUrls) ?? {},
  };
  const call = async (mediaFrom?: string): Promise<PartSource> => {
    const options = { ...toCallOptions(request, { ...target, mediaFrom }), abortSignal };
    return stream ? readingStream((await model.doStream(options)).stream) : toParts(await model.doGenerate(options));
  };
  try {
    return await call();
  } catch (thrown) {
    const newest = request.promptId ?? request.messages.findLast(({ role }) => role === 'user')?.id;
    const at = request.messages.findIndex(({ id }) => id === newest);
    const isOlder = request.messages.slice(0, Math.max(0, at)).some(hasMedia);
    if (!isUnsupported(thrown) || !isOlder || abortSignal.aborted) throw thrown;
    return call(newest);
  }
}

function hasMedia({ content }: LLMRequest['messages'][number]): boolean {
  return content.some((part) => isMedia(part) || (part.type === 'tool' && resultMedia(part).length > 0));
}

interface PartSource {
  readonly read: () => Promise<{ readonly done: boolean; readonly value?: unknown }>;
  readonly cancel: () => Promise<void>;
}

function readingStream(stream: ReadableStream<unknown>): PartSource {
  const parts = stream.getReader();
  return { read: () => parts.read(), cancel: () => parts.cancel() };
}

/** Returns a whole answer as the parts of a stream. */
function toParts(result: object): PartSource {
  const { content, finishReason, usage, warnings, response, providerMetadata } = toObject(result);
  const parts: JsonObject[] = [
    { type: 'stream-start', warnings: warnings ?? [] },
    { type: 'response-metadata', modelId: toText(toObject(response).modelId) },
    ...[content].flat().flatMap((part, index) => (isJsonObject(part) ? toStreamed(part, String(index)) : [])),
    { type: 'finish', finishReason, usage, providerMetadata },
  ];
  return {
    read() {
      const value = parts.shift();
      return Promise.resolve(value === undefined ? { done: true } : { done: false, value });
    },
    cancel: () => Promise.resolve(),
  };
}

function toStreamed(part: JsonObject, id: string): readonly JsonObject[] {
  const { type, text, providerMetadata, citations } = part;
  if (type !== 'text' && type !== 'reasoning') return [part];
  return [
    { type: `${type}-start`, id, providerMetadata },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, citations },
  ];
}
