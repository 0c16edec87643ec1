import { named } from '../core/model/shapes/named.ts';
import type { SessionStore } from '../core/model/store.ts';
import { browserPorts } from '../core/ports.ts';
import type { Behaviour, StoreFeature } from './contract/behaviour.ts';
import { attaching } from './contract/attaching.ts';
import { closing } from './contract/closing.ts';
import { filtering } from './contract/filtering.ts';
import { metaEntries } from './contract/meta.ts';
import { identifying } from './contract/identifying.ts';
import { listing } from './contract/listing.ts';
import { reading } from './contract/reading.ts';
import { removing } from './contract/removing.ts';
import { replacing } from './contract/replacing.ts';
import { restoring } from './contract/restoring.ts';
import { searching } from './contract/searching.ts';
import { sharing } from './contract/sharing.ts';
import { notifying } from './contract/notifying.ts';
import { phases } from './contract/phases.ts';
import { trees } from './contract/trees.ts';
import { waiting } from './contract/waiting.ts';
import { writing } from './contract/writing.ts';

export type { StoreFeature } from './contract/behaviour.ts';

/** One behaviour, ready for any test runner. */
export interface StoreBehaviour {
  /** A sentence about the store. */
  readonly name: string;
  /** Why the behaviour must be reported as skipped; missing where the store must have it. A skipped behaviour fails when it is run. */
  readonly skipped?: string;
  /** Rejects with an Error that states the difference. */
  readonly run: () => Promise<void>;
}

/** Options of `storeContract`. */
export interface StoreContractOptions {
  /** The features that the store lacks. Default: none. */
  readonly unsupported?: readonly StoreFeature[];
  /** Called after each behaviour with the name of its stores, which are closed: deletes what they stored. */
  readonly dispose?: (name: string) => void | Promise<void>;
}

/**
 * Returns the acceptance tests of a `SessionStore`, for authors of stores.
 *
 * @param createStore receives a name that is new for each behaviour; stores of the same name share their sessions
 * @example
 * for (const { name, run, skipped } of storeContract(() => createMyStore(), { unsupported: ['sharing'] }))
 *   (skipped ? test.skip : test)(name, run);
 */
export function storeContract(
  createStore: (name: string) => SessionStore | Promise<SessionStore>,
  options: StoreContractOptions = {},
): readonly StoreBehaviour[] {
  const { unsupported = [], dispose } = named(options, { unsupported: true, dispose: true }, 'storeContract');
  const behaviours = [
    ...reading,
    ...writing,
    ...identifying,
    ...attaching,
    ...replacing,
    ...phases,
    ...removing,
    ...restoring,
    ...listing,
    ...searching,
    ...filtering,
    ...waiting,
    ...trees,
    ...notifying,
    ...closing,
    ...metaEntries,
    ...sharing,
  ];
  return behaviours.map(({ name, needs = [], check }) => {
    const lacking = [needs].flat().find((feature) => unsupported.includes(feature));
    return {
      name,
      ...(lacking !== undefined && { skipped: `the store does not offer ${lacking}` }),
      run: () => inNewStore(createStore, check, dispose),
    };
  });
}

async function inNewStore(
  createStore: (name: string) => SessionStore | Promise<SessionStore>,
  check: Behaviour['check'],
  dispose: StoreContractOptions['dispose'],
): Promise<void> {
  const name = `contract-${browserPorts.id()}`;
  const opened: SessionStore[] = [];
  async function open(): Promise<SessionStore> {
    const store = await createStore(name);
    opened.push(store);
    return store;
  }
  try {
    await check(await open(), open);
  } finally {
    for (const store of opened) store.close();
    await dispose?.(name);
  }
}
