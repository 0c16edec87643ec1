import type { AgentError } from '../../core/error.ts';
import { defined } from '../../core/json.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { SessionStore, StoredSession } from '../../core/model/store.ts';
import { type Base, type Bases, deviceOf, doubtsOf } from './base.ts';
import { classify } from './classify.ts';
import { factsOf } from './origin.ts';
import type { SessionSync } from './options.ts';

/** What a tab knows of the session beside what is stored. */
export interface TabFacts {
  /** Why the session is not synchronized. */
  readonly error: AgentError | undefined;
  /** Since when a claim waits. */
  readonly waiting: number | undefined;
}

/** Resolves with what both sides had in common, and with what this device has stored since; with no log where it has the row alone. */
export async function readNews(
  id: string,
  local: SessionStore,
  bases: Bases,
): Promise<{ readonly base: Base | undefined; readonly here: StoredSession | undefined }> {
  const base = await bases.get(id);
  const here = await local.read(id, { after: base?.seq ?? 0 });
  return { base, here: classify('here', here, false).is === 'row' ? undefined : here };
}

/**
 * Returns the other device that runs the session, or, for `waiting`, waits for a person: the device that has stored the last events of an
 * open run, with none of this device since. Pure. `undefined` where it is this device, or there is no such run.
 */
export function runnerElsewhere(
  base: Base | undefined,
  here: StoredSession | undefined,
  device: string,
  status: 'running' | 'waiting' = 'running',
): string | undefined {
  if (here?.summary.status !== status) return undefined;
  const isBeside = here.events.every(isConcurrent);
  const runner = factsOf(here).device ?? (isBeside ? deviceOf(base) : undefined);
  return runner === device ? undefined : runner;
}

/** Returns how a session relates to the remote store. Pure. */
export function toSessionSync(
  base: Base | undefined,
  here: StoredSession | undefined,
  device: string,
  { error, waiting }: TabFacts,
): SessionSync | undefined {
  if (here === undefined) return undefined;
  const { held } = here.summary.status === 'waiting' ? doubtsOf(base, here.events) : {};
  const kept = defined({ keptAs: base?.keptAs, held, asker: runnerElsewhere(base, here, device, 'waiting') });
  const { updatedAt, seq } = here.summary;
  if (error !== undefined) return { state: 'refused', error, ...kept };
  if (waiting !== undefined) return { state: 'waiting', since: waiting, ...kept };
  const runner = runnerElsewhere(base, here, device);
  if (runner !== undefined) return { state: 'elsewhere', device: runner, since: updatedAt, ...kept };
  if (base?.seq === seq && base.mine === here.writeId) return { state: 'in-step', ...kept };
  return { state: 'behind', since: here.events[0]?.at ?? updatedAt, ...kept };
}
