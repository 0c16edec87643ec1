import { notifyError } from '../caught-error.ts';
import type { AgentError } from '../error.ts';
import type { StoreLink } from '../log/store-link.ts';
import type { AgentOptions } from './agent-options.ts';

/** Reports each error of the store once. */
export function reportStorage(
  sessionId: string,
  { status$ }: Pick<StoreLink, 'status$'>,
  onError: NonNullable<AgentOptions['onError']>,
): void {
  let last: AgentError | undefined;
  status$.subscribe((status) => {
    const error = 'error' in status ? status.error : undefined;
    if (error !== undefined && error !== last) notifyError(onError, error, { sessionId });
    last = error;
  });
}
