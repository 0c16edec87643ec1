import { AgentError, type AgentErrorCode, type LLMClient, toAgentError } from 'brooklet';
import { lastValueFrom, throwError, timeout } from 'rxjs';

/** What a test of a connection found out. */
export interface Verdict {
  readonly found: 'ok' | 'refused-key' | 'wrong-model' | 'offline' | 'unreachable' | 'cors' | 'busy' | 'other';
  readonly title: string;
  readonly text: string;
}

/** ms to wait for an answer. */
const patience = 20_000;

/** Sends the smallest real request through the real client, and tells apart what can go wrong. */
export async function testConnection(client: LLMClient, baseURL: string): Promise<Verdict> {
  try {
    await lastValueFrom(
      client
        .sendRequest({
          sessionId: 'connection-test',
          messages: [{ id: 'test', role: 'user', content: [{ type: 'text', text: 'Hi' }], timestamp: 0 }],
          maxTokens: 1,
        })
        .pipe(timeout({ each: patience, with: () => throwError(() => tooSlow(baseURL)) })),
    );
    return { found: 'ok', title: 'Connected', text: 'The model answered.' };
  } catch (thrown) {
    const error = toAgentError(thrown);
    return error.code === 'NETWORK_ERROR' ? whyNoAnswer(baseURL) : toVerdict(error);
  }
}

const refusedKey = { found: 'refused-key', title: 'The key was refused' } as const;
const busy = { found: 'busy', title: 'Reached, but not served now' } as const;

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
  return { ...(verdicts[code] ?? { found: 'other', title: 'Reached, but the request was not taken' }), text: message };
}

/**
 * A browser says the same “failed to fetch” for a server that is not there and for one that does not let this page in.
 * A request whose answer nobody may read (`no-cors`) tells them apart; it carries neither key nor cookies.
 */
async function whyNoAnswer(baseURL: string): Promise<Verdict> {
  const { origin, host } = new URL(baseURL);
  if (!navigator.onLine)
    return { found: 'offline', title: 'No network', text: 'This browser is offline. Connect it and try again.' };
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
      text: `${host} is there, but does not let pages from ${location.origin} read its answers. Allow this origin at the server, or use a provider that browsers may call.`,
    };
  } catch {
    return {
      found: 'unreachable',
      title: 'Nothing answered',
      text: `No server answered at ${host}. Check the address, whether the server runs, and your network.`,
    };
  }
}

function tooSlow(baseURL: string): AgentError {
  return new AgentError(
    `${new URL(baseURL).host} did not answer within ${patience / 1000} s. A model may still be loading: try again.`,
    {
      code: 'REQUEST_TIMEOUT',
    },
  );
}
