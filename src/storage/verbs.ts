import { checkList } from './cursor.ts';
import type { SessionStore } from '../core/model/store.ts';

/** The verbs of a store, none of them optional: what one open database performs, and what memory performs in its place. */
export type StoreVerbs = Required<
  Pick<SessionStore, 'list' | 'read' | 'write' | 'remove' | 'restore' | 'wasRemoved' | 'meta'>
>;

/** Calls one verb on the store that is in charge at that moment. */
export type CallVerb = <T>(verb: (verbs: StoreVerbs) => Promise<T>) => Promise<T>;

/** The verbs of a store that wraps others: each one is passed to `call`, which chooses the store and handles its errors. */
export function delegateVerbs(call: CallVerb): StoreVerbs {
  return {
    list: async (options) => {
      checkList(options);
      return call((verbs) => verbs.list(options));
    },
    read: (sessionId, options) => call((verbs) => verbs.read(sessionId, options)),
    write: (write) => call((verbs) => verbs.write(write)),
    remove: (sessionId) => call((verbs) => verbs.remove(sessionId)),
    restore: (sessionId) => call((verbs) => verbs.restore(sessionId)),
    wasRemoved: (sessionId) => call((verbs) => verbs.wasRemoved(sessionId)),
    meta: {
      get: (key) => call((verbs) => verbs.meta.get(key)),
      update: (key, change) => call((verbs) => verbs.meta.update(key, change)),
    },
  };
}
