import { named } from '../../../core/model/shapes/named.ts';
import { exchangeNames } from '../../transport/option-names.ts';
import { Observable } from 'rxjs';
import { fail, toAgentError } from '../../../core/error.ts';
import { defined } from '../../../core/json.ts';
import type { LLMClient, LLMRequest } from '../../../core/model/llm.ts';
import { word } from '../../../core/model/shapes/fields.ts';
import { callable, maybe } from '../../../core/model/shapes/shape.ts';
import { checkClientOptions, checkOptions } from '../../transport/check-options.ts';
import { defaultAttempts } from '../../transport/default-attempts.ts';
import type { ExchangeOptions } from '../../transport/exchange.ts';
import { sendRepeatedly } from '../../transport/send-repeatedly.ts';
import type { BuiltInAvailability } from '../built-in/client.ts';
import { askModel } from './ask.ts';
import { availabilityOf, load } from './loading.ts';
import { type AISDKModel, checkModel } from './model.ts';

/** Options of `createAISDKClient`. */
export interface AISDKOptions extends ExchangeOptions {
  /**
   * Returns the model for a request that names another one, usually the provider itself: `models: openai`. Default: such a request errors
   * with `INVALID_REQUEST`.
   */
  readonly models?: (modelId: string) => AISDKModel;
  /**
   * Whether the answer is streamed. `false`: `doGenerate` of the model is called, and the answer is emitted at once. Default yes.
   */
  readonly stream?: boolean;
  /**
   * Origin of the service, `https://api.example.com`, which a model does not state: see `LLMClient.origin`. Set it where two services are
   * used through one provider package: metadata of one does not go to the other. Default: none.
   */
  readonly origin?: string;
  /** Called with each warning of the model, for a setting that it ignores for example: `unsupported: topK`. */
  readonly onWarning?: (warning: string) => void;
  /** Called with the progress, from 0 to 1, while a request waits for a model that is loaded into the page. */
  readonly onLoad?: (progress: number) => void;
}

/** A client of a model of the AI SDK. A model that runs in the page has to be loaded first. */
export interface AISDKClient extends LLMClient {
  /** Whether the model can answer: `available` for a model of a service. Never rejects. */
  availability(): Promise<BuiltInAvailability>;
  /**
   * Loads a model that runs in the page. Cold: each subscription loads, unless the model is loaded. Emits the progress, from 0 to 1, and
   * completes when the model can answer, at once for a model of a service. Unsubscribing ends the notifications only. Errors with AgentError
   * `MODEL_NOT_FOUND` where the device cannot run the model, and `MODEL_NOT_READY` where the download fails.
   */
  download(): Observable<number>;
}

/**
 * Creates a client of a language model of the AI SDK, versions 5 to 7 (`LanguageModelV2`, `V3` and `V4`): any provider package, and models
 * that run in the page.
 *
 *     import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
 *     const client = createAISDKClient(createAmazonBedrock({ … })('anthropic.claude-sonnet-4-5-20250929-v1:0'));
 *
 * Key, address, headers and fetch are those of the provider package. Retries, timeouts and errors are those of the other clients of this
 * package; the AI SDK itself repeats nothing here. `providerParams` of a request are options of the call: `topP`, `seed`, `providerOptions`,
 * `tools` of the provider, …; another name errors with `INVALID_REQUEST`. A model that runs in the page is loaded by the first request,
 * or by `download()`.
 *
 * @throws AgentError `INVALID_CONFIG` for a value that is not a language model, and for an option of a wrong type or out of its range
 */
export function createAISDKClient(model: AISDKModel, options: AISDKOptions = {}): AISDKClient {
  const own = { models: true, stream: true, origin: true, onWarning: true, onLoad: true };
  named(options, { ...exchangeNames, ...own }, 'createAISDKClient');
  checkModel(model);
  checkClientOptions(options, 'createAISDKClient');
  const { models, stream = true, origin, onWarning, onLoad } = options;
  const listeners = { onWarning: guarded(onWarning), onLoad: guarded(onLoad) };
  checkOptions(
    { models, origin, onWarning, onLoad },
    { models: maybe(callable), origin: maybe(word), onWarning: maybe(callable), onLoad: maybe(callable) },
    'createAISDKClient',
  );

  function modelFor({ model: modelId = model.modelId }: LLMRequest): AISDKModel {
    if (modelId === model.modelId) return model;
    const other: unknown = models?.(modelId);
    if (other === undefined)
      return fail(
        'INVALID_REQUEST',
        `This client has the model ${model.modelId} only, and the request names ${modelId}: pass \`models\` to createAISDKClient, or leave out \`model\`.`,
      );
    checkModel(other);
    return other;
  }

  const attempts = defaultAttempts(options);
  return {
    ...defined({ origin }),
    availability: () => availabilityOf(model),
    download: () =>
      new Observable((subscriber) => {
        load(model, (progress) => subscriber.next(progress)).then(
          () => subscriber.complete(),
          (thrown: unknown) => subscriber.error(toAgentError(thrown)),
        );
      }),
    sendRequest: (request) =>
      sendRepeatedly(
        request,
        (marked) =>
          new Observable((subscriber) => {
            let chosen: AISDKModel;
            try {
              chosen = modelFor(marked);
            } catch (thrown) {
              return subscriber.error(toAgentError(thrown, 'INVALID_CONFIG'));
            }
            const host = origin === undefined ? chosen.provider : `${chosen.provider} ${origin}`;
            const chunks$ = askModel(chosen, marked, { ...options, ...listeners, host, stream });
            subscriber.add(chunks$.subscribe(subscriber));
          }),
        attempts,
      ),
  };
}

/** Returns a listener of the page whose errors are reported as uncaught ones, and change nothing. */
function guarded<Value>(listener: ((value: Value) => void) | undefined): ((value: Value) => void) | undefined {
  return (
    listener &&
    ((value) => {
      try {
        listener(value);
      } catch (thrown) {
        globalThis.reportError?.(thrown);
      }
    })
  );
}
