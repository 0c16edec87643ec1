import { Observable, of, Subscription } from 'rxjs';
import { fail } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { KeyFunction } from '../core/model/llm.ts';
import type { HostChannel } from './protocol.ts';

/** Returns a key: at once, or when the person has entered it. `vault.keyFor('openai')` is one. */
export type KeySource = string | KeyFunction;

/** What a client takes as `apiKey`. `locked$` as in `LLMClient`: a planned prompt waits while the key is locked in every page that has it. */
export interface PageKey {
  (origin: string): Promise<string>;
  readonly locked$?: Observable<boolean>;
}

type KeySources = Readonly<Record<string, KeySource>>;

/** Returns the key of a page by its name. It rejects with `AUTHENTICATION_LOCKED` for a name that the page does not have. */
export function keyOfPage(keys: KeySources, name: string): PageKey {
  const source = Object.hasOwn(keys, name) ? keys[name] : undefined;
  const release = async (origin: string): Promise<string> => {
    if (source === undefined) return fail('AUTHENTICATION_LOCKED', `This page has no key ${JSON.stringify(name)}.`);
    return typeof source === 'string' ? source : source(origin);
  };
  // A page without the key cannot send what is planned.
  return Object.assign(release, defined({ locked$: source === undefined ? of(true) : lockedOf(source) }));
}

/** Returns the names of the keys that can be locked. */
export const lockableOf = (keys: KeySources): readonly string[] =>
  Object.keys(keys).filter((name) => lockedOf(keys[name]) !== undefined);

/** Reports to the worker whether each key is locked, until the subscription ends. A stream that errors says nothing more. */
export function reportLocked(keys: KeySources, channel: HostChannel): Subscription {
  const following = new Subscription();
  for (const name of lockableOf(keys)) {
    const report = (isLocked: boolean): void => channel.tell('locked', { name, isLocked });
    following.add(lockedOf(keys[name])?.subscribe({ next: report, error: () => report(false) }));
  }
  return following;
}

function lockedOf(source: KeySource | undefined): Observable<boolean> | undefined {
  const locked$ = typeof source === 'function' ? source.locked$ : undefined;
  // It may be of another copy of rxjs.
  return locked$ && new Observable<boolean>((subscriber) => locked$.subscribe(subscriber));
}
