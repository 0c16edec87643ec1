import { named } from '../core/model/shapes/named.ts';
import { Observable } from 'rxjs';
import { type ErrorInfo, toAgentError, toErrorInfo } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../core/model/llm.ts';
import { type Exchange, type Fixture, type FixtureOptions, joinChunks, redacted, toFixtureRequest } from './fixture.ts';

/** A client that keeps what it sends and receives. */
export interface RecordingClient extends LLMClient {
  /** Returns what has been recorded so far. Contains no key: see `FixtureOptions`. */
  readonly getFixture: () => Fixture;
}

interface Draft {
  readonly request: LLMRequest;
  readonly chunks: LLMChunk[];
  error?: ErrorInfo;
  isEnded: boolean;
}

/**
 * Wraps a client, so that a real run becomes a fixture for tests.
 *
 *     const client = record(createChatCompletionsClient({ … }));
 *     // … a session with this client …
 *     await writeFile('refund.json', JSON.stringify(client.getFixture(), null, 2));
 *
 * Equal runs make equal fixtures: without ids and times, with the pieces of a text joined.
 */
export function record(client: LLMClient, options: FixtureOptions = {}): RecordingClient {
  named(options, { secrets: true, redact: true }, 'record');
  const drafts: Draft[] = [];
  return {
    ...defined({ origin: client.origin }),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const draft: Draft = { request, chunks: [], isEnded: false };
        drafts.push(draft);
        return client.sendRequest(request).subscribe({
          next(chunk) {
            draft.chunks.push(chunk);
            subscriber.next(chunk);
          },
          error(thrown: unknown) {
            draft.error = toErrorInfo(toAgentError(thrown, 'LLM_API_ERROR'));
            subscriber.error(thrown);
          },
          complete() {
            draft.isEnded = true;
            subscriber.complete();
          },
        });
      }),
    getFixture: () => ({
      format: 'brooklet-fixture',
      version: 1,
      exchanges: drafts.map((draft) => toExchange(draft, options)),
    }),
  };
}

function toExchange({ request, chunks, error, isEnded }: Draft, options: FixtureOptions): Exchange {
  return {
    request: toFixtureRequest(request, options),
    chunks: redacted(joinChunks(chunks), options),
    ...(error && { error: redacted(error, options) }),
    ...(!isEnded && !error && { isCancelled: true }),
  };
}
