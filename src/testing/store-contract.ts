import type { SessionStore } from '../core/model/store.ts';
import type { Behaviour, StoreFeature } from './contract/behaviour.ts';
import { attaching } from './contract/attaching.ts';
import { closing } from './contract/closing.ts';
import { facts } from './contract/facts.ts';
import { listing } from './contract/listing.ts';
import { reading } from './contract/reading.ts';
import { removing } from './contract/removing.ts';
import { replacing } from './contract/replacing.ts';
import { restoring } from './contract/restoring.ts';
import { searching } from './contract/searching.ts';
import { sharing } from './contract/sharing.ts';
import { staging } from './contract/staging.ts';
import { telling } from './contract/telling.ts';
import { writing } from './contract/writing.ts';

export type { StoreFeature } from './contract/behaviour.ts';

/** One behaviour, ready to be handed to any test runner. */
export interface StoreBehaviour {
  /** A sentence about the store. */
  readonly name: string;
  /** Why it has to be reported as skipped; missing where it has to hold. Run all the same, it fails. */
  readonly skipped?: string;
  /** Rejects with what is wrong. */
  readonly run: () => Promise<void>;
}

/** Options of `storeContract`. */
export interface StoreContractOptions {
  /** What the store does not offer. */
  readonly unsupported?: readonly StoreFeature[];
  /** Removes what a behaviour has left; its stores are closed. */
  readonly dispose?: (name: string) => void | Promise<void>;
}

/**
 * What every `SessionStore` has to do, for the authors of stores. `createStore` is called with a name that is new for
 * each behaviour; stores of the same name hold the same sessions.
 *
 * @example
 * for (const { name, run, skipped } of storeContract(() => createMyStore(), { lacks: ['sharing', 'announcing'] }))
 *   (skipped ? test.skip : test)(name, run);
 */
export function storeContract(
  createStore: (name: string) => SessionStore | Promise<SessionStore>,
  { unsupported = [], dispose }: StoreContractOptions = {},
): readonly StoreBehaviour[] {
  const behaviours = [
    ...reading,
    ...writing,
    ...attaching,
    ...replacing,
    ...staging,
    ...removing,
    ...restoring,
    ...listing,
    ...searching,
    ...telling,
    ...closing,
    ...facts,
    ...sharing,
  ];
  return behaviours.map(({ name, needs, check }) => ({
    name,
    ...(needs !== undefined && unsupported.includes(needs) && { skipped: `the store does not offer ${needs}` }),
    run: () => inNewStore(createStore, check, dispose),
  }));
}

async function inNewStore(
  createStore: (name: string) => SessionStore | Promise<SessionStore>,
  check: Behaviour['check'],
  dispose: StoreContractOptions['dispose'],
): Promise<void> {
  const name = `contract-${crypto.randomUUID()}`;
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
