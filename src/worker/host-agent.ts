import { fail } from '../core/error.ts';
import { named } from '../core/model/shapes/named.ts';
import type { Port } from './channel.ts';
import { createHost } from './create-host.ts';
import type { CreateOptions, HostOptions } from './host-options.ts';
import { createPresence } from './presence.ts';

/**
 * Runs the agent in this worker, for the pages that connect with `connectAgent`. Call it once, at the top of the script of a module worker, shared
 * or dedicated.
 *
 *     // worker.ts
 *     import { hostAgent } from 'brooklet/worker';
 *     import { create } from './agent.ts';
 *     hostAgent(create);
 *
 * @param create the same function as the pages have
 * @throws AgentError `INVALID_CONFIG` in a page, for a wrong option, and where the browser has no Web Locks
 */
export function hostAgent(create: CreateOptions, options: HostOptions = {}): void {
  const { pageTimeout = 0 } = named(options, { pageTimeout: true }, 'hostAgent');
  if (typeof pageTimeout !== 'number' || !(pageTimeout >= 0))
    fail('INVALID_CONFIG', 'The option `pageTimeout` of hostAgent must be a number of ms, 0 or more.');
  if (typeof create !== 'function')
    fail('INVALID_CONFIG', '`hostAgent` takes the function that makes the options of the agent.');
  if (typeof document !== 'undefined') fail('INVALID_CONFIG', '`hostAgent` is for the script of a worker.');
  const presence =
    createPresence() ?? fail('INVALID_CONFIG', 'A worker needs Web Locks, which need HTTPS or localhost.');
  const host = createHost(create, options, { presence });
  if (!('onconnect' in globalThis)) return host.accept(ownPort());
  addEventListener('connect', (event) => {
    const ports = event instanceof MessageEvent ? event.ports : [];
    for (const port of ports) host.accept(port);
  });
}

/** The port of a dedicated worker is its own scope. */
function ownPort(): Port {
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the scope of a worker, not a window
    postMessage: (message) => globalThis.postMessage(message),
    addEventListener: (type, listener) => globalThis.addEventListener(type, listener),
    removeEventListener: (type, listener) => globalThis.removeEventListener(type, listener),
  };
}
