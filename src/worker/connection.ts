import { BehaviorSubject, type Observable } from 'rxjs';
import { type AgentError, fail, toAgentError } from '../core/error.ts';
import { when } from '../core/log/current.ts';
import type { Ports } from '../core/ports.ts';
import { createChannel, gone, type Port } from './channel.ts';
import type { HostStatus, PageReason } from './host-status.ts';
import { type KeySource, lockableOf, reportLocked } from './page-key.ts';
import type { Presence } from './presence.ts';
import { type HostChannel, type HostVerbs, type PageVerbs, protocol, type ToolOffer } from './protocol.ts';

/** What the function that starts the worker returns. */
export type WorkerLike = Pick<SharedWorker, 'port' | 'addEventListener'> | Worker | MessagePort;

/** The connection of a page to the worker that drives its runs. */
export interface Connection {
  readonly status$: Observable<HostStatus>;
  readonly getStatus: () => HostStatus;
  /**
   * Resolves with the channel to the worker, or with `undefined` where this page drives. Waits while the worker is being started.
   *
   * Rejects with `ABORTED` after `disconnect`.
   */
  place(): Promise<HostChannel | undefined>;
  /** The channel, while the worker is connected. */
  readonly channel: () => HostChannel | undefined;
  /** From now on this page drives. */
  giveUp(reason: PageReason, error?: AgentError): void;
  disconnect(): void;
}

export interface ConnectionOptions {
  readonly connect: () => WorkerLike;
  readonly getOutlives: () => 'pages' | 'page' | 'nothing';
  readonly group: string;
  readonly keys: Readonly<Record<string, KeySource>>;
  readonly hasVault: boolean;
  readonly getOffers: () => readonly ToolOffer[];
  /** The verbs of this page, without those of the connection itself. */
  readonly verbs: Omit<PageVerbs, 'waits'>;
  /** `undefined`: no worker can be connected, for this `reason`. */
  readonly presence: Presence | undefined;
  readonly reason: PageReason;
  readonly ports: Pick<Ports, 'id' | 'delay' | 'onHide'>;
  /** Called when a worker has ended while it was connected. */
  readonly onLost: () => void;
}

/** ms that a worker has to answer: it is loaded meanwhile. */
const longestStart = 20_000;
/** How often in a row a worker may end before it has answered twice. */
const mostDeaths = 3;

/** A key that encrypts nothing, as non-extractable as that of a vault. */
const createProbe = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);

export function createConnection(options: ConnectionOptions): Connection {
  const { connect, presence, ports, getOffers, onLost } = options;
  const status = new BehaviorSubject<HostStatus>({ state: 'connecting' });
  const pageId = ports.id();
  const living = new AbortController();
  let channel: HostChannel | undefined;
  let deaths = 0;
  let end = (): void => {};

  function set(next: HostStatus): void {
    status.next(next);
  }

  function giveUp(reason: PageReason, error?: AgentError): void {
    if (living.signal.aborted) return;
    end();
    set({ state: 'page', reason, ...(error && { error }) });
  }

  function start(): void {
    if (presence === undefined) return giveUp(options.reason);
    set({ state: 'connecting' });
    let worker: WorkerLike;
    try {
      worker = connect();
    } catch (thrown) {
      return giveUp(typeof SharedWorker === 'undefined' ? 'no-shared-worker' : 'refused', toAgentError(thrown));
    }
    greet(worker, presence);
  }

  function greet(worker: WorkerLike, presence: Presence): void {
    const stopping = new AbortController();
    const { signal } = stopping;
    const port: Port = 'port' in worker ? worker.port : worker;
    const verbs: PageVerbs = {
      ...options.verbs,
      waits(waits) {
        const now = status.value;
        if (now.state === 'worker') set({ ...now, waits });
        return null;
      },
    };
    const its: HostChannel = createChannel<HostVerbs>(port, verbs);
    const cancelTimer = ports.delay(() => giveUp('silent'), longestStart);
    end = () => {
      stopping.abort();
      cancelTimer();
      its.close(gone('The worker that drives the run is gone.'));
      if (channel === its) channel = undefined;
      end = () => {};
    };
    worker.addEventListener(
      'error',
      (event) => {
        const message = event instanceof ErrorEvent ? event.message : '';
        if (channel !== its && !signal.aborted)
          giveUp('failed', toAgentError(new Error(message || 'The script of the worker could not be loaded.')));
      },
      { signal },
    );

    async function meet(): Promise<void> {
      await isHeld(presence);
      const { group, hasVault } = options;
      const keys = Object.keys(options.keys);
      const lockable = lockableOf(options.keys);
      if (hasVault) its.tell('probe', await createProbe());
      const welcome = await its.ask('hello', { protocol, pageId, group, tools: getOffers(), keys, lockable, hasVault });
      if (signal.aborted) return;
      cancelTimer();
      if (welcome.protocol !== protocol) return giveUp('other-version');
      if (hasVault && welcome.takesKeys !== true) return giveUp('no-key');
      channel = its;
      const reporting = reportLocked(options.keys, its);
      signal.addEventListener('abort', () => reporting.unsubscribe());
      set({ state: 'worker', outlives: options.getOutlives(), waits: [] });
      await presence.whenGone(`worker:${welcome.workerId}`, signal);
      if (signal.aborted) return;
      end();
      onLost();
      deaths++;
      if (deaths > mostDeaths) giveUp('failed', gone('The worker has ended again and again.'));
      else start();
    }

    meet().catch((thrown: unknown) => {
      if (!signal.aborted) giveUp('failed', toAgentError(thrown));
    });
  }

  let holding: Promise<void> | undefined;
  /** Invariant: the page is known to live before the worker can look whether it does. */
  function isHeld(presence: Presence): Promise<void> {
    return (holding ??= presence.hold(`page:${pageId}`, living.signal));
  }

  const stopHide = ports.onHide((leaving) => {
    if (leaving) channel?.tell('leaving', null);
  });
  start();

  return {
    status$: status.asObservable(),
    getStatus: () => status.value,
    async place() {
      await when(status, ({ state }) => state !== 'connecting');
      if (status.value.state === 'disconnected') fail('ABORTED', 'The agent is disconnected: connect again.');
      return channel;
    },
    channel: () => channel,
    giveUp,
    disconnect() {
      if (living.signal.aborted) return;
      end();
      living.abort();
      stopHide();
      set({ state: 'disconnected' });
      status.complete();
    },
  };
}
