import { AgentError, type AgentErrorCode, type LLMClient, toAgentError } from 'brooklet';
import { lastValueFrom, throwError, timeout } from 'rxjs';
import { getAllTexts } from '../texts/useAllTexts.ts';

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
    const { verdict: words } = getAllTexts();
    return { found: 'ok', title: words.ok, text: words.okText };
  } catch (thrown) {
    const error = toAgentError(thrown);
    return error.code === 'NETWORK_ERROR' ? explainNetworkError(baseURL) : toVerdict(error);
  }
}

/** What an error code says, and the name of its title in the texts. */
const verdicts: {
  readonly [code in AgentErrorCode]?: readonly [found: Verdict['found'], title: TitleName];
} = {
  AUTHENTICATION_FAILED: ['refused-key', 'refusedKey'],
  PERMISSION_DENIED: ['refused-key', 'refusedKey'],
  MODEL_NOT_FOUND: ['wrong-model', 'wrongModel'],
  OFFLINE: ['offline', 'offline'],
  RATE_LIMIT_EXCEEDED: ['busy', 'busy'],
  OVERLOADED: ['busy', 'busy'],
  INSUFFICIENT_QUOTA: ['busy', 'noCredit'],
  REQUEST_TIMEOUT: ['unreachable', 'timeout'],
};
type TitleName = 'refusedKey' | 'wrongModel' | 'offline' | 'busy' | 'noCredit' | 'timeout' | 'other';

function toVerdict({ code, message }: AgentError): Verdict {
  const [found, title] = verdicts[code] ?? (['other', 'other'] as const);
  return { found, title: getAllTexts().verdict[title], text: message };
}

/**
 * A browser reports the same “failed to fetch” for an unreachable server and for a server that refuses this page (CORS).
 * A second request with an unreadable answer (`no-cors`) distinguishes the two. That request contains no key and no cookies.
 */
async function explainNetworkError(baseURL: string): Promise<Verdict> {
  const { origin, host } = new URL(baseURL);
  const { verdict: words } = getAllTexts();
  if (!navigator.onLine) return { found: 'offline', title: words.offline, text: words.offlineText };
  try {
    await fetch(origin, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(8000),
    });
    return { found: 'cors', title: words.cors, text: words.corsText(host, location.origin) };
  } catch {
    return { found: 'unreachable', title: words.unreachable, text: words.unreachableText(host) };
  }
}

function toTimeout(baseURL: string): AgentError {
  const message = getAllTexts().verdict.tooLate(new URL(baseURL).host, answerTimeout / 1000);
  return new AgentError(message, { code: 'REQUEST_TIMEOUT' });
}
