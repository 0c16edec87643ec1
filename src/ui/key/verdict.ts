import { type AgentError, type AgentErrorCode, toAgentError } from '../../index.ts';
import type { KeyLabels } from '../labels/key-english.ts';
import type { KeyFieldProps } from './props.ts';
import { whyNoAnswer } from './testKey.ts';

/** What is wrong, as a person reads it. */
export interface Problem {
  readonly title?: string | undefined;
  readonly text: string;
  /** What is wrong: the key, the passphrase, or something that another text does not cure. */
  readonly of: 'key' | 'passphrase' | 'other';
  /** Whether the key may be right nevertheless: it can be used without a test. */
  readonly mayUse: boolean;
}

type Verdicts = KeyLabels['verdicts'];

/** Returns what a test of a key has found, by the error of its request. */
export async function toVerdict(
  error: AgentError,
  { baseURL, noAnswer, request }: { baseURL: string; noAnswer: string | undefined } & Pick<KeyFieldProps, 'request'>,
  words: Verdicts,
): Promise<Problem> {
  const { host } = new URL(baseURL);
  const other = (title: string, text: string): Problem => ({ title, text, of: 'other', mayUse: true });
  switch (error.code) {
    case 'AUTHENTICATION_FAILED':
      return { title: words.refused, text: words.refusedText(host), of: 'key', mayUse: false };
    case 'PERMISSION_DENIED':
      return { title: words.forbidden, text: words.forbiddenText, of: 'key', mayUse: true };
    case 'INSUFFICIENT_QUOTA':
      return other(words.noCredit, words.noCreditText);
    case 'MODEL_NOT_FOUND':
      return other(words.noModel, words.noModelText);
    case 'OFFLINE':
      return other(words.offline, words.offlineText);
    case 'RATE_LIMIT_EXCEEDED':
    case 'OVERLOADED':
      return other(words.busy, words.busyText);
    case 'REQUEST_TIMEOUT':
      return other(words.timeout, words.timeoutText(host));
    case 'NETWORK_ERROR': {
      const advice = noAnswer === undefined ? '' : ` ${noAnswer.replaceAll('{origin}', location.origin)}`;
      const why = await whyNoAnswer(baseURL, request);
      if (why === 'offline') return other(words.offline, words.offlineText);
      return why === 'cors'
        ? other(words.cors, words.corsText(host, location.origin) + advice)
        : other(words.unreachable, words.unreachableText(host) + advice);
    }
    default:
      return other(words.other, error.message);
  }
}

const vaultProblems: { readonly [code in AgentErrorCode]?: keyof KeyLabels['problems'] } = {
  AUTHENTICATION_FAILED: 'wrongPassphrase',
  ABORTED: 'declined',
  INVALID_CONFIG: 'noPasskey',
};

/** Returns why an action of the vault has failed. */
export function toVaultProblem(thrown: unknown, words: KeyLabels['problems']): Problem {
  const { code, message } = toAgentError(thrown);
  const name = vaultProblems[code];
  return {
    text: name === undefined ? message : words[name],
    of: code === 'AUTHENTICATION_FAILED' ? 'passphrase' : 'other',
    mayUse: false,
  };
}
