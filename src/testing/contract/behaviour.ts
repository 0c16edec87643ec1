import type { SessionStore } from '../../core/model/store.ts';

/**
 * What some stores cannot offer and then have to declare.
 *
 * `persistence`: what was written is there for a store made later under the same name. `sharing`: several stores of the
 * same name are open at once and see each other's writes. `announcing`: their `changes$` tell of each other's writes.
 * `restoring`: it has `restore` and `wasRemoved`. `searching`: its `list` takes a `search`. `facts`: it has a `meta`.
 */
export type StoreFeature = 'persistence' | 'sharing' | 'announcing' | 'restoring' | 'searching' | 'facts';

/** One sentence about every store, and how to find out. `store` is new and empty; `open` makes another of its name. */
export interface Behaviour {
  readonly name: string;
  readonly needs?: StoreFeature;
  /** Throws where the store behaves otherwise. */
  readonly check: (store: SessionStore, open: () => Promise<SessionStore>) => Promise<void>;
}
