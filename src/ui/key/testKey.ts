import { AgentError, toAgentError } from '../../index.ts';
import { createProviderClient, listModels, type Provider } from '../../llm/providers/index.ts';
import type { KeyFieldProps, ReadyKey } from './props.ts';

interface KeyTest extends Pick<KeyFieldProps, 'request'> {
  readonly provider: Provider;
  readonly baseURL: string;
  /** Empty or missing: the service needs none. */
  readonly apiKey: string | ReadyKey['apiKey'];
  /** Default: the first that is known, else the first of the service's own list. */
  readonly model: string | undefined;
  readonly signal: AbortSignal;
}

/** Tokens of the answer: some services take no fewer. */
const maxTokens = 16;

/** ms to wait for the answer. */
const longest = 30_000;

/**
 * Sends the smallest real request with a key: a list of models is public at some services, and says nothing of an account's credit. Rejects with
 * the AgentError of the request, of which no message has the key.
 */
export async function testKey({ provider, baseURL, apiKey, model, request, signal }: KeyTest): Promise<void> {
  try {
    // Not sent again: the person waits, and can try again.
    const key = apiKey === '' || apiKey === undefined ? {} : { apiKey };
    const own = { maxRetries: 0, ...request, baseURL, ...key };
    const { headers, allowLan, fetch, delay } = own;
    const [first = { id: '' }] =
      model === undefined && firstKnown(provider) === undefined
        ? await listModels(provider, {
            baseURL,
            signal,
            ...key,
            ...(headers && { headers }),
            ...(allowLan !== undefined && { allowLan }),
            ...(fetch && { fetch }),
            ...(delay && { delay }),
          })
        : [];
    const client = createProviderClient(provider, { ...own, model: model ?? firstKnown(provider) ?? first.id });
    await new Promise<void>((resolve, reject) => {
      const stop = (thrown: AgentError): void => {
        subscription.unsubscribe();
        reject(thrown);
      };
      const timer = setTimeout(
        () => stop(new AgentError(`${new URL(baseURL).host} did not answer in time.`, { code: 'REQUEST_TIMEOUT' })),
        longest,
      );
      signal.addEventListener('abort', () => stop(new AgentError('The test was stopped.', { code: 'ABORTED' })), {
        once: true,
      });
      const subscription = client
        .sendRequest({
          sessionId: 'key-test',
          messages: [{ id: 'test', role: 'user', content: [{ type: 'text', text: 'Hi' }], timestamp: 0 }],
          maxTokens,
        })
        .subscribe({ error: reject, complete: resolve });
      subscription.add(() => clearTimeout(timer));
    });
  } catch (thrown) {
    throw withoutKey(toAgentError(thrown), typeof apiKey === 'string' ? apiKey : '');
  }
}

function firstKnown({ models }: Provider): string | undefined {
  return Object.keys(models ?? {})[0];
}

/** The clients leave keys out of their messages. A `fetch` of the page's own may not. */
function withoutKey(error: AgentError, key: string): AgentError {
  if (key === '' || !error.message.includes(key)) return error;
  return new AgentError(error.message.replaceAll(key, '…'), { code: error.code });
}

/** How long a request without key and cookies may take, in ms. */
const longestProbe = 8_000;

/**
 * Returns why a request got no answer. A browser reports the same for a server that does not answer and for one that refuses this page (CORS). A
 * second request, whose answer the page does not read, distinguishes the two. It has no key and no cookies.
 */
export async function whyNoAnswer(
  baseURL: string,
  { fetch: send = fetch }: Pick<NonNullable<KeyFieldProps['request']>, 'fetch'> = {},
): Promise<'offline' | 'cors' | 'unreachable'> {
  if (!navigator.onLine) return 'offline';
  try {
    await send(new URL(baseURL).origin, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(longestProbe),
    });
    return 'cors';
  } catch {
    return 'unreachable';
  }
}
