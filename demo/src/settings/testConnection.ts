import { AgentError, type AgentErrorCode, type LLMClient, toAgentError } from 'brooklet';
import { lastValueFrom, throwError, timeout } from 'rxjs';

/** The result of a connection test. */
export interface Verdict {
  readonly found: 'ok' | 'refused-key' | 'wrong-model' | 'offline' | 'unreachable' | 'cors' | 'busy' | 'other';
  readonly title: string;
  readonly text: string;
}

/** ms to wait for an answer. */
const answerTimeout = 20_000;

/** Sends the smallest real request through the real client, and distinguishes what can go wrong. Never rejects. */
export async function testConnection(client: LLMClient, baseURL: string): Promise<Verdict> {
  try {
    await lastValueFrom(
      client
        .sendRequest({
          sessionId: 'connection-test',
          messages: [{ id: 'test', role: 'user', content: [{ type: 'text', text: 'Hi' }], timestamp: 0 }],
          maxTokens: 1,
        })
        .pipe(timeout({ each: answerTimeout, with: () => throwError(() => toTimeout(baseURL)) })),
    );
    return { found: 'ok', title: 'Connected', text: 'The model answered.' };
  } catch (thrown) {
    const error = toAgentError(thrown);
    return error.code === 'NETWORK_ERROR' ? explainNetworkError(baseURL) : toVerdict(error);
  }
}

const refusedKey = { found: 'refused-key', title: 'The key was refused' } as const;
const busy = { found: 'busy', title: 'The server is reachable, but busy' } as const;

const verdicts: { readonly [code in AgentErrorCode]?: Omit<Verdict, 'text'> } = {
  AUTHENTICATION_FAILED: refusedKey,
  PERMISSION_DENIED: refusedKey,
  MODEL_NOT_FOUND: { found: 'wrong-model', title: 'There is no such model' },
  OFFLINE: { found: 'offline', title: 'No network' },
  RATE_LIMIT_EXCEEDED: busy,
  OVERLOADED: busy,
  INSUFFICIENT_QUOTA: busy,
  REQUEST_TIMEOUT: { found: 'unreachable', title: 'No answer in time' },
};

function toVerdict({ code, message }: AgentError): Verdict {
  return {
    ...(verdicts[code] ?? { found: 'other', title: 'The server is reachable, but refused the request' }),
    text: message,
  };
}

/**
 * A browser reports the same “failed to fetch” for an unreachable server and for a server that refuses this page (CORS).
 * A second request with an unreadable answer (`no-cors`) distinguishes the two. That request contains no key and no cookies.
 */
async function explainNetworkError(baseURL: string): Promise<Verdict> {
  const { origin, host } = new URL(baseURL);
  if (!navigator.onLine)
    return {
      found: 'offline',
      title: 'No network',
      text: 'This browser is offline. Connect to a network and try again.',
    };
  try {
    await fetch(origin, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(8000),
    });
    return {
      found: 'cors',
      title: 'Blocked by CORS',
      text: `${host} is reachable, but does not allow pages from ${location.origin} to read its answers. Allow this origin on the server, or use a provider that allows browsers.`,
    };
  } catch {
    return {
      found: 'unreachable',
      title: 'Nothing answered',
      text: `No server answered at ${host}. Check the address, the server, and your network.`,
    };
  }
}

function toTimeout(baseURL: string): AgentError {
  return new AgentError(
    `${new URL(baseURL).host} did not answer within ${answerTimeout / 1000} s. The model may still be loading: try again.`,
    {
      code: 'REQUEST_TIMEOUT',
    },
  );
}
