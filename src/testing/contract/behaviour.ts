import type { SessionStore } from '../../core/model/store.ts';

/**
 * A feature that a store may lack and then has to declare.
 *
 * `persistence`: a store that is created later under the same name has what was written. `sharing`: several stores of the
 * same name are open at once and see each other's writes. `announcing`: their `changes$` emits each other's changes.
 * `restoring`: the store has `restore` and `wasRemoved`. `searching`: `list` takes a `search`. `filtering`: `list` takes a `where`. `waiting`: `list` takes a
 * `waiting`. `meta`: the store has `meta`.
 */
export type StoreFeature =
  | 'persistence'
  | 'sharing'
  | 'announcing'
  | 'restoring'
  | 'searching'
  | 'filtering'
  | 'waiting'
  | 'meta';

/** One sentence about every store, and its check. `store` is new and empty; `open` creates another store of its name. */
export interface Behaviour {
  readonly name: string;
  readonly needs?: StoreFeature | readonly StoreFeature[];
  /** Throws where the store behaves otherwise. */
  readonly check: (store: SessionStore, open: () => Promise<SessionStore>) => Promise<void>;
}
