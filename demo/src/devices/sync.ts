import { type AgentError, toAgentError } from 'brooklet';
import { createAesCodec } from 'brooklet/encryption';
import { createRemote, type Devices, importSharedKey, openDevices } from 'brooklet/sync';
import { createNatsStore } from 'brooklet/nats';
import { BehaviorSubject, combineLatest, distinctUntilChanged, map } from 'rxjs';
import { vault } from '../keys/vault.ts';
import { goTo } from '../base/route.ts';
import { getAllTexts } from '../texts/useAllTexts.ts';
import { showToast } from '../toast/toasts.ts';
import { type Access, accessOf, readSecret } from './access.ts';
import { claimOf } from './claims.ts';
import { type Engine, engine, nameOf } from '../base/engine.ts';
import { type Link, openLink } from './link.ts';
import { createReconnecting, type OpenedRemote } from './reconnecting.ts';
import { store } from './store.ts';

/** Whether this tab synchronizes. How far it is: `store.status$`. */
export type SyncState =
  | { readonly is: 'off' }
  /** The secret has to be unlocked, or typed again. */
  | { readonly is: 'locked' | 'missing' | 'opening' }
  | { readonly is: 'on' }
  | { readonly is: 'refused'; readonly error: AgentError };

const subject = new BehaviorSubject<SyncState>({ is: 'off' });
export const syncState$ = subject.asObservable();
export const getSyncState = (): SyncState => subject.value;

let link: Link | undefined;
let devices: Devices | undefined;
let stop: (() => void) | undefined;
let isStarted = false;

/** Returns the connection to the engine; `undefined` while the engine is away. */
export const getLink = (): Link | undefined => link;

/** Returns the known devices of the engine, with the key of this one; `undefined` while this tab does not synchronize. */
export const getDevices = (): Devices | undefined => devices;

/** Follows the engine of the user from now on: synchronizes while this tab has its secret. */
export function start(): void {
  if (isStarted) return;
  isStarted = true;
  const access$ = vault.state$.pipe(map(accessOf), distinctUntilChanged());
  combineLatest([engine.value$, access$]).subscribe(([chosen, access]) => void follow(chosen, access));
}

/** The engine that is in use. */
let used: Engine | undefined;
/** Counts the beginnings: a later one makes an earlier one void. */
let turns = 0;

async function follow(chosen: Engine | undefined, access: Access): Promise<void> {
  if (chosen === undefined) {
    end({ is: 'off' });
    return;
  }
  // The vault may be locked while the engine is in use: the connection stays.
  if (isSame(chosen, used) && access !== 'missing') return;
  if (access !== 'ready') {
    end({ is: access });
    return;
  }
  end({ is: 'opening' });
  used = chosen;
  const turn = ++turns;
  try {
    const { credential, key } = await readSecret(chosen);
    const codec = createAesCodec(await importSharedKey(key));
    if (turn === turns) await begin(chosen, credential, codec, () => turn === turns);
  } catch (thrown) {
    if (turn === turns) end({ is: 'refused', error: toAgentError(thrown) });
  }
}

/** Synchronizes again with a secret that was typed anew. */
export function restart(): void {
  used = undefined;
  void follow(engine.get(), accessOf(vault.getState()));
}

function isSame(one: Engine, other: Engine | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function end(state: SyncState): void {
  stop?.();
  stop = undefined;
  link = undefined;
  devices = undefined;
  used = undefined;
  turns += 1;
  subject.next(state);
}

/** @param isWanted whether no later beginning has made this one void */
async function begin(
  chosen: Engine,
  credential: string,
  encrypt: ReturnType<typeof createAesCodec>,
  isWanted: () => boolean,
): Promise<void> {
  const { user, device } = chosen;

  async function open(): Promise<OpenedRemote> {
    const opened = await openLink(chosen, credential);
    link = opened;
    const engineStore = createNatsStore({ connection: opened.connection, user, encrypt });
    return {
      store: engineStore,
      closed: opened.closed,
      close() {
        engineStore.close();
        void opened.close();
      },
    };
  }

  const remote = createReconnecting({
    open,
    onRefused: (error) => end({ is: 'refused', error }),
  });
  stop = () => remote.close();
  const known = await openDevices({ meta: remote.meta, name: device, store: nameOf(chosen) });
  if (!isWanted()) return;
  devices = known;
  store.connect(createRemote(remote), {
    device,
    devices,
    name: nameOf(chosen),
    claims: claimOf,
    toForkTitle: (title, name) => getAllTexts().devices.forkTitle(title, name),
    onFork({ keptAs }) {
      const { devices: words } = getAllTexts();
      showToast(words.forked, { action: { label: words.show, run: () => goTo(keptAs) } });
    },
    onTrouble({ type }) {
      if (type === 'revived') showToast(getAllTexts().devices.revived);
    },
  });
  stop = store.disconnect;
  subject.next({ is: 'on' });
}
