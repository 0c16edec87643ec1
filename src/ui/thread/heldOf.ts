import type { UseChatResult } from '../../react/index.ts';

/** What a call that has not started waits for: a key or a model, or that the person resumes. */
export type Held = 'key' | 'resume';

/** Returns what the calls of a chat wait for that have not started; `undefined` while its run is under way, and while it is being opened. */
export function heldOf({
  status,
  error,
  hasClient,
  isLoading,
}: Pick<UseChatResult, 'status' | 'error' | 'hasClient' | 'isLoading'>): Held | undefined {
  if (isLoading || status === 'running' || status === 'waiting') return undefined;
  if (status !== 'failed') return 'resume';
  const isMissing = error?.code === 'MISSING_CLIENT' && !hasClient;
  return isMissing || error?.code === 'AUTHENTICATION_LOCKED' ? 'key' : 'resume';
}
