import type { LLMClient, SessionStore } from 'brooklet';
import type { Json } from 'brooklet/core';
import { isJsonObject } from 'brooklet/core';
import type { AgentPlace } from 'brooklet/worker';
import { type Connection, type Fallback, followPage, getConnection, getFallback } from '../model/connection.ts';
import { createPresentClient } from '../model/presentClient.ts';
import { holding } from '../trust/holding.ts';

type Meta = NonNullable<SessionStore['meta']>;

/** What a page has chosen, for the worker: beside the conversations, because a worker reads no localStorage. It contains no key. */
interface Chosen {
  readonly connection: Connection;
  readonly fallback: Fallback;
  readonly holds: boolean;
}

/** The key that pages hand to the worker. */
type Key = ReturnType<AgentPlace['keyOf']>;

const key = 'studio:chosen';

/** Stores what this page has chosen. */
export function tellChosen(meta: Meta): Promise<void> {
  const chosen: Chosen = { connection: getConnection(), fallback: getFallback(), holds: holding.get() };
  const written: Json = JSON.parse(JSON.stringify(chosen));
  return meta.update(key, () => written);
}

/** Returns the client of a worker: what the page has chosen when the request is made. @param release returns the key for an address */
export function createChosenClient(meta: Meta, release: Key): LLMClient {
  const before = async (): Promise<void> => {
    const chosen = await meta.get(key);
    if (!isChosen(chosen)) return;
    followPage(chosen.connection, chosen.fallback, release);
    holding.change(() => chosen.holds);
  };
  return createPresentClient({ before, ...(release.locked$ && { locked$: release.locked$ }) });
}

/** What pages of this build write. */
function isChosen(value: unknown): value is Chosen {
  return isJsonObject(value) && isJsonObject(value.connection) && typeof value.holds === 'boolean';
}
