import { createConnectedAgent } from './create-connected-agent.ts';
import type { ConnectOptions } from './connect-options.ts';
import type { ConnectedAgent } from './connected-agent.ts';
import { canExtendLifetime, type WorkerNaming } from './naming.ts';
import type { WorkerLike } from './connection.ts';
import { fail } from '../core/error.ts';
import { createPresence } from './presence.ts';

/**
 * Connects this page to the agent of a worker, whose runs outlive the page. Where there is no worker, this page drives its runs itself: see
 * `getHost()`. The page follows as every tab does: through the store that `create` names.
 *
 *     const agent = connectAgent(
 *       (options) => new SharedWorker(new URL('./worker.ts', import.meta.url), { ...options, type: 'module' }),
 *       { create, build: '2026-11-28', keys: { openai: () => askForKey() } },
 *     );
 *
 * @param connect starts the worker, with the name and the lifetime that it is given. Called again when a worker has ended
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type, and as `createAgent` does for the options that `create` returns
 */
export function connectAgent(connect: (options: WorkerNaming) => WorkerLike, options: ConnectOptions): ConnectedAgent {
  if (typeof connect !== 'function')
    fail('INVALID_CONFIG', '`connectAgent` takes the function that starts the worker, and options.');
  return createConnectedAgent(connect, options, { presence: createPresence(), isExtended: canExtendLifetime() });
}
