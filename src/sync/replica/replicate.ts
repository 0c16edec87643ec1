import type { SessionStore } from '../../core/model/store.ts';
import { createClaim } from './claim.ts';
import { mayClaim } from './claims.ts';
import { createConnection } from './connection.ts';
import type { Replication, SyncHost } from './remote.ts';
import { readNews, runnerElsewhere, toSessionSync } from './session-sync.ts';
import { type ClaimEnv, storeClaim } from './store-claim.ts';

/** Begins to synchronize with a remote store. */
export function replicate(remote: SessionStore, host: SyncHost): Replication {
  const { local, ports, waiting, options } = host;
  const { device, devices, claims = 'remote', claimTimeout = 10_000 } = options;
  const { onFork = () => {}, onTrouble = () => {} } = options;
  const connection = createConnection({
    ...host,
    remote,
    name: options.name ?? '',
    device,
    devices,
    requestTimeout: options.requestTimeout ?? 30_000,
    textInterval: options.textInterval ?? 1_000,
    toForkTitle: options.toForkTitle,
    online$: options.online$,
    onFork: tell(onFork),
    onTrouble: tell(onTrouble),
  });
  const { bases, loop } = connection;

  return {
    devices,
    locks: connection.locks,
    getStatus: loop.getStatus,
    poke: loop.poke,
    sync: loop.sync,
    fetch: connection.fetch,
    close: connection.close,
    async isElsewhere(id) {
      const { base, here } = await readNews(id, local, bases);
      return runnerElsewhere(base, here, device) !== undefined;
    },
    async describe(id) {
      await connection.whenNoted(id);
      const { base, here } = await readNews(id, local, bases);
      return toSessionSync(base, here, device, { error: connection.errorOf(id), waiting: waiting.get(id) });
    },
    mayClaim: (write) => mayClaim(write, claims),
    claim: createClaim(claims, claimTimeout, host),
    async tryClaim(write, isLate) {
      const { sessionId } = write;
      const env: ClaimEnv = { ...connection, local, device, newId: ports.id, isLate };
      try {
        const isStored = await connection.exclusively(sessionId, () => storeClaim(write, env));
        if (isStored) return { is: 'stored' };
        connection.onDoubt(sessionId);
        return { is: 'refused' };
      } catch (thrown) {
        const isReplaced = connection.isClosed() && !host.signal.aborted;
        if (!connection.isFailure(thrown) && !isReplaced) throw thrown;
        connection.onDoubt(sessionId);
        return { is: 'unreached', cause: thrown };
      }
    },
  };
}

/** Calls a listener of the page on its own: what it throws is not an error of a store. */
function tell<T>(listener: (value: T) => void): (value: T) => void {
  return (value) => queueMicrotask(() => listener(value));
}
