import { createPendingReplica } from '../log/pending-replica.ts';
import { createLoneTab } from './lone-tab.ts';
import type { Replication } from './replication.ts';

/** Returns the replication of a session that is created while the code of the store is still loading. */
export function createPendingReplication(loading: Promise<Replication>): Replication {
  return {
    createSyncedStore: (options) => createPendingReplica(loading, options),
    createTabs(env, runs) {
      let tabs = createLoneTab(env, runs);
      let isClosed = false;
      const join = ({ createTabs }: Replication): void => {
        if (isClosed) return;
        tabs.close();
        tabs = createTabs(env, runs);
      };
      // The replica, which began to wait first, is there by now. It reports when the code cannot be loaded.
      loading.then(join).catch(() => {});
      return {
        cancel: () => tabs.cancel(),
        close() {
          isClosed = true;
          tabs.close();
        },
      };
    },
  };
}
