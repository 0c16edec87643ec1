import { type Observable, Subject } from 'rxjs';
import { AgentError } from '../core/error.ts';
import type { Ports } from '../core/ports.ts';
import { gone } from './channel.ts';
import type { Presence } from './presence.ts';
import type { Hello, PageChannel, ToolOffer, ToolWait } from './protocol.ts';

/** A page that is connected to the worker. */
export interface HostPage {
  readonly id: string;
  readonly channel: PageChannel;
  readonly keys: readonly string[];
  /** Names of the keys that are locked in the page. */
  readonly locked: Set<string>;
  readonly hasVault: boolean;
  tools: readonly ToolOffer[];
}

/** The pages that are connected, newest first, and what waits for one of them. */
export interface HostPages {
  readonly all: () => readonly HostPage[];
  /** Emits when a page comes or goes, or one of its keys is locked or unlocked. */
  readonly changes$: Observable<void>;
  /** Adds a page, until it is gone. */
  add(hello: Hello, channel: PageChannel): HostPage;
  /** Notes whether a key of a page is locked. */
  noteLocked(page: HostPage, name: string, isLocked: boolean): void;
  /** Notes the tools that a page offers now. */
  offer(page: HostPage, tools: readonly ToolOffer[]): void;
  /**
   * Resolves with a page that fits: at once, or as soon as one is connected. Rejects with `TOOL_TIMEOUT` after `ms`, and with the reason of the
   * signal. Every page shows `wait` meanwhile.
   */
  find(fits: (page: HostPage) => boolean, options: FindOptions): Promise<HostPage>;
  /** The calls that wait for a page. */
  readonly waits: () => readonly ToolWait[];
  /** Ends the waits of a session whose run has ended. */
  endWaits(sessionId: string): void;
}

interface FindOptions {
  readonly ms: number;
  /** The sentence of the error after `ms`. */
  readonly late: string;
  readonly wait?: ToolWait | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @param onLeft called when the last page is gone */
export function createHostPages(presence: Presence, ports: Pick<Ports, 'delay'>, onLeft: () => void): HostPages {
  let pages: readonly HostPage[] = [];
  const changes = new Subject<void>();
  const seekers = new Set<() => void>();
  const waits = new Map<ToolWait, (reason: AgentError) => void>();

  function tellWaits(): void {
    for (const { channel } of pages) channel.tell('waits', [...waits.keys()]);
  }

  function look(): void {
    for (const seek of seekers) seek();
  }

  return {
    all: () => pages,
    changes$: changes.asObservable(),
    add({ pageId, tools, keys, lockable = [], hasVault = false }, channel) {
      const page: HostPage = { id: pageId, channel, keys, locked: new Set(lockable), hasVault, tools };
      pages = [page, ...pages];
      void presence.whenGone(`page:${pageId}`, new AbortController().signal).then(() => {
        pages = pages.filter((one) => one !== page);
        channel.close(gone('The page is gone.'));
        if (pages.length === 0) onLeft();
        changes.next();
      });
      if (waits.size > 0) channel.tell('waits', [...waits.keys()]);
      look();
      changes.next();
      return page;
    },
    noteLocked(page, name, isLocked) {
      if (isLocked) page.locked.add(name);
      else page.locked.delete(name);
      changes.next();
    },
    offer(page, tools) {
      page.tools = tools;
      look();
    },
    find(fits, { ms, late, wait, signal }) {
      const found = pages.find(fits);
      if (found) return Promise.resolve(found);
      return new Promise((resolve, reject) => {
        const seek = (): void => {
          const page = pages.find(fits);
          if (page) end(() => resolve(page));
        };
        const refuse = (reason: unknown): void => end(() => reject(reason));
        const abort = (): void => refuse(signal?.reason);
        const cancelTimer = ports.delay(() => refuse(new AgentError(late, { code: 'TOOL_TIMEOUT' })), ms);
        function end(then: () => void): void {
          cancelTimer();
          seekers.delete(seek);
          signal?.removeEventListener('abort', abort);
          if (wait && waits.delete(wait)) tellWaits();
          then();
        }
        seekers.add(seek);
        signal?.addEventListener('abort', abort);
        if (!wait) return;
        waits.set(wait, refuse);
        tellWaits();
      });
    },
    waits: () => [...waits.keys()],
    endWaits(sessionId) {
      for (const [wait, refuse] of waits)
        if (wait.sessionId === sessionId) refuse(new AgentError('The run has ended.', { code: 'ABORTED' }));
    },
  };
}
