import { notifyError } from '../caught-error.ts';
import type { AgentError } from '../error.ts';
import type { Replica } from '../log/replica.ts';
import type { AgentOptions } from './agent.ts';

/** Reports each error of the store once. */
export function reportStorage(
  sessionId: string,
  { status$ }: Pick<Replica, 'status$'>,
  onError: NonNullable<AgentOptions['onError']>,
): void {
  let last: AgentError | undefined;
  status$.subscribe((status) => {
    const error = 'error' in status ? status.error : undefined;
    if (error !== undefined && error !== last) notifyError(onError, error, { sessionId });
    last = error;
  });
}
