import { isCut } from '../core/model/auto-resume.ts';
import { extractTextContent } from '../core/model/message.ts';
import type { Stop } from '../core/model/next.ts';
import type { SessionState } from '../core/model/state.ts';
import { lastReply } from '../core/model/status.ts';
import type { ErrorInfo } from '../core/error.ts';
import { defined } from '../core/json.ts';

/** What the end of the session of a call is for the call. */
export type End =
  | { readonly type: 'done'; readonly text: string }
  /** `message` is for the model that called. */
  | { readonly type: 'failed' | 'cancelled'; readonly message: string }
  /** The run of the call ends, too: a run that resumes it continues the session. */
  | { readonly type: 'stopped'; readonly message: string; readonly stop: Stop };

/** Returns what the last run of a session is for the call that started the session. */
export function toEnd(name: string, state: SessionState): End {
  const { run, messages } = state;
  const { outcome, limit, account, error } = run ?? {};
  const reply = lastReply(messages);
  const text = reply ? extractTextContent(reply) : '';
  switch (outcome) {
    case 'completed':
      return { type: 'done', text };
    case 'limit': {
      const message = `${name} has used up its limit of ${limit ?? 'the run'}.${text && ` So far: ${text}`}`;
      return account === undefined
        ? { type: 'failed', message }
        : { type: 'stopped', message, stop: { outcome, account, ...defined({ limit }) } };
    }
    case 'cancelled':
      return { type: 'cancelled', message: `${name} was stopped by the user.` };
    case 'failed': {
      const message = `${name} failed${error ? `: ${error.message}` : '.'}`;
      return isCut(state) ? cutOff(name, error) : { type: 'failed', message };
    }
    case 'interrupted':
    case undefined:
      return cutOff(name, error);
  }
}

/** The connection was lost, or the session was closed before its end. */
function cutOff(name: string, error: ErrorInfo | undefined): End {
  return {
    type: 'stopped',
    message: `${name} was interrupted.`,
    stop: { outcome: 'interrupted', ...defined({ error }) },
  };
}
