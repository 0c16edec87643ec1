import { fail, toAgentError } from '../error.ts';
import type { CallPlace } from '../model/event.ts';
import type { Salvage } from '../model/salvage.ts';
import { openingInput } from '../model/shapes/input-shape.ts';
import { readInput } from '../model/shapes/read-input.ts';
import { initialState } from '../model/state.ts';
import type { SessionStore, SessionWrite } from '../model/store.ts';
import type { Ports } from '../ports.ts';
import type { OwnedSession } from '../session/create-session.ts';
import { openStored } from '../session/open-stored.ts';
import type { ChildPlace } from '../tools/family.ts';
import type { AgentOptions, OpenOptions, SessionSetup } from './agent-options.ts';
import type { Families } from './families.ts';
import type { Kind } from './kind.ts';
import { knownAgent } from './known-agents.ts';
import { openNames, readSetup } from './read-options.ts';
import type { Removals } from './removals.ts';
import type { SessionConfig } from './session-config.ts';

/** Brings sessions from the store into the memory of an agent. */
export interface Opening {
  /** See `Agent.openSession`. */
  openSession(sessionId: string, options?: OpenOptions): Promise<OwnedSession>;
  /**
   * Opens the session of a call, with the client and the tools of the agent that works on the call.
   *
   * @param create `false`: rejects where the store does not have it
   */
  openChild(place: ChildPlace, create: boolean): Promise<OwnedSession>;
}

interface OpeningOptions {
  readonly options: AgentOptions;
  readonly kind: Kind;
  readonly ports: Ports;
  readonly sessions: ReadonlyMap<string, OwnedSession>;
  readonly removals: Pick<Removals, 'underWay' | 'wasRemoved' | 'countRestored'>;
  readonly openByCall: Families['openByCall'];
  readonly checkUsable: () => void;
  readonly configOf: (setup: SessionSetup) => SessionConfig;
  /** Creates a session in memory from its state after the last stored event. @param last names the last stored write */
  readonly load: (
    start: Salvage,
    config: SessionConfig,
    last?: Pick<SessionWrite, 'writeId'>,
    path?: readonly CallPlace[],
  ) => OwnedSession;
}

/** What the call of a session gives it. */
interface Child {
  readonly config: SessionConfig;
  readonly path: readonly CallPlace[];
}

export function createOpening(env: OpeningOptions): Opening {
  const { options, kind, ports, sessions, removals, openByCall, checkUsable, configOf, load } = env;
  const store: SessionStore | undefined = options.store;
  const opening = new Map<string, Promise<OwnedSession>>();

  /** Returns the session from the store, else a new one where the caller allows one. */
  async function read(
    sessionId: string,
    { create = false, ...setup }: OpenOptions,
    child?: Child,
  ): Promise<OwnedSession> {
    await removals.underWay(sessionId)?.catch(() => {});
    const before = removals.countRestored();
    const stored = await store?.read(sessionId);
    if (stored === undefined) {
      const wasRemoved = await removals.wasRemoved(sessionId);
      // What was read is older than `restoreSession`: its caller may have joined this reading.
      if (removals.countRestored() !== before) return read(sessionId, { create, ...setup }, child);
      // `createSession` may have created it meanwhile.
      const created = sessions.get(sessionId);
      if (created !== undefined) return created;
      // Invariant: a removed session does not return as an empty one.
      if (wasRemoved) fail('SESSION_REMOVED', 'This conversation was deleted. Start a new one.');
      // A session that a person did not delete may have been erased by the browser.
      return create
        ? load({ state: initialState(sessionId) }, child?.config ?? configOf(setup), undefined, child?.path)
        : notFound();
    }
    const { path } = stored.summary;
    const byCall = child === undefined && path ? await openAsChild(path) : undefined;
    if (byCall) return byCall;
    const take = (loaded: Salvage): OwnedSession =>
      sessions.get(sessionId) ?? load(loaded, child?.config ?? configOf(setup), stored);
    return openStored(sessionId, stored, store?.locks, ports, take);
  }

  /** A session whose parent is gone is one of this agent. */
  async function openAsChild(path: readonly CallPlace[]): Promise<OwnedSession | undefined> {
    return openByCall(path).catch((thrown: unknown) => {
      const { code } = toAgentError(thrown);
      if (code === 'SESSION_NOT_FOUND' || code === 'SESSION_REMOVED') return undefined;
      throw thrown;
    });
  }

  async function openSession(sessionId: string, given: OpenOptions = {}): Promise<OwnedSession> {
    const setup = readSetup(given, options, openNames, 'openSession');
    checkUsable();
    const { create } = setup;
    readInput({ id: sessionId, create }, openingInput, 'The session');
    const session = sessions.get(sessionId);
    if (session !== undefined) return session;
    const earlier = opening.get(sessionId);
    if (earlier !== undefined)
      // The earlier caller may not have allowed a new session.
      return create ? earlier.catch(() => openSession(sessionId, setup)) : earlier;
    const reading = read(sessionId, setup).finally(() => opening.delete(sessionId));
    opening.set(sessionId, reading);
    return reading;
  }

  return {
    openSession,
    openChild(place, create) {
      const known = knownAgent(place.agent);
      if (known === undefined) fail('INVALID_CONFIG', 'The agent of the tool was not made by createAgent.');
      if (known.store !== undefined && known.store !== store)
        fail('INVALID_CONFIG', 'The agent of the tool has another store than the agent that calls it.');
      const its = { ...known.kind, cost: known.kind.cost ?? kind.cost };
      const toConfig = (): SessionConfig => ({ ...known.createConfig(), kind: its, copy: toConfig });
      return read(place.id, { create }, { config: toConfig(), path: place.path });
    },
  };
}

/** The message is for the person at the page: the page that asked knows the id. */
function notFound(): never {
  return fail(
    'SESSION_NOT_FOUND',
    'This conversation is not stored here: it was made in another browser, or this one has erased it (Safari does so after seven days without a visit). Open a backup of it, or start a new one.',
  );
}
