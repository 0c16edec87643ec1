import type { Observable } from 'rxjs';
import type { AgentError } from '../../core/error.ts';
import type { DecisionGuard, HeldDecision } from '../decision-guard.ts';

/** A part of a conversation that was kept as a session of its own, because another device had continued from the same point. */
export interface ForkNotice {
  /** The session in which the other device's part is now. */
  readonly sessionId: string;
  /** The session in which this device's part is kept. */
  readonly keptAs: string;
  /** Name of this device. */
  readonly device: string;
}

/** What a person should know of a session that could not simply be brought in step. */
export type SyncProblem =
  /** One device removed the session while another one continued it: the session is stored again. */
  | { readonly type: 'revived'; readonly sessionId: string }
  /** The session is not synchronized: its remote log does not fit, this device's log is damaged, or a store refuses it. */
  | { readonly type: 'refused'; readonly sessionId: string; readonly error: AgentError };

/** How a device synchronizes: options of `createSyncedStore`, and of `connect`, which come first. */
export interface ConnectOptions {
  /**
   * Name of this device, as others see it, for example `Ann's phone`. Two devices must not have the same name. Needed as soon as a remote
   * store is connected.
   */
  readonly device?: string;
  /**
   * Signs the decisions of this device, and checks those of others: `openDevices` of `brooklet/sync`. A decision from another device
   * then counts only with the signature of a known device; any other is held (`SessionSync.held`), and its call is open as before. Without
   * it, every decision in the remote store counts.
   */
  readonly devices?: DecisionGuard;
  /** Name of the remote store: a device that changes between several remembers for each of them what both have. Default: empty. */
  readonly name?: string;
  /**
   * Where a call of a tool, and a person's decision on it, must be stored before the tool starts. `remote`: on the remote store, so that no
   * two devices run the same call; without a connection the call waits for `claimTimeout`. While no remote store is connected at all
   * (`connect`), every claim is `local`. `local`: on this device alone, for tools that may run twice. A function chooses by the name of the tool. Default `remote`.
   */
  readonly claims?: 'remote' | 'local' | ((toolName: string) => 'remote' | 'local');
  /** ms that a claim waits for the remote store; then the write rejects with `STORAGE_UNAVAILABLE`, and the tool does not start. Default 10,000. */
  readonly claimTimeout?: number;
  /** ms that one request to the remote store may take. Default 30,000. */
  readonly requestTimeout?: number;
  /** ms between two writes of text that streams. Default 1,000. */
  readonly textInterval?: number;
  /** Emits `true` when the device is online again, which ends a wait for the next try. Default: `remote.online$`, or the event of the window. */
  readonly online$?: Observable<boolean>;
  /** Returns the title of a fork. Default: the title, followed by `(kept from <device>)`. */
  readonly toForkTitle?: (title: string, device: string) => string;
  /** Called when this device's part of a conversation was kept as a session of its own. */
  readonly onFork?: (fork: ForkNotice) => void;
  /** Called when a session could not simply be brought in step. */
  readonly onTrouble?: (problem: SyncProblem) => void;
}

/** How the sessions of this device relate to the remote store. */
export type SyncedStoreStatus =
  /** No remote store is connected. */
  | { readonly state: 'local' }
  | { readonly state: 'in-step' }
  /** Something is on its way. `since`: ms since the epoch. */
  | { readonly state: 'behind'; readonly since: number }
  /** The remote store cannot be reached, or refuses. The replica tries again by itself. */
  | { readonly state: 'offline'; readonly since: number; readonly error: AgentError };

/** How one session relates to the remote store. Times are ms since the epoch. */
export type SessionSync = {
  /** The session in which this device's part was last kept. */
  readonly keptAs?: string;
  /** The other device whose run waits for a person. With `drive: false` a decision is left to the page of that device. */
  readonly asker?: string;
  /** Decisions of other devices that do not count (see `ConnectOptions.devices`), on calls that await one. The person may decide the same. */
  readonly held?: readonly HeldDecision[];
} &
  /** No remote store is connected. */
  (
    | { readonly state: 'local' }
    | { readonly state: 'in-step' }
    /** The remote store lacks what was stored here since then. */
    | { readonly state: 'behind'; readonly since: number }
    /** Another device runs the session; it last wrote then. `takeOver` takes the session from a device that does not continue. */
    | { readonly state: 'elsewhere'; readonly device: string; readonly since: number }
    /** A tool, or a decision, waits for the remote store. */
    | { readonly state: 'waiting'; readonly since: number }
    | { readonly state: 'refused'; readonly error: AgentError }
  );
