import type { SessionStatus } from 'brooklet';
import type { ForkNotice, SyncedStoreStatus, SessionSync } from 'brooklet/sync';

/** What the page of one device needs to begin. */
export interface DeviceOptions {
  /** Address of the server for WebSocket, and its name: another server may have taken the port. */
  readonly url: string;
  readonly serverName: string;
  readonly user: string;
  /** Name of the device. */
  readonly device: string;
  /** ms between two writes of text that streams. */
  readonly textInterval?: number;
}

/** A length of the last message, and when it was first seen: ms since the epoch. */
type Seen = readonly (readonly [at: number, length: number])[];

/** A device as the test sees it: plain data. */
export interface View {
  readonly status: SessionStatus;
  /** The texts of the messages, with their roles. */
  readonly messages: readonly string[];
  /** The call that awaits approval. */
  readonly pending?: string;
}

/** The functions of the page that the test calls. */
export interface Device {
  begin(options: DeviceOptions): Promise<void>;
  create(): string;
  /** Opens the session, and notes from now on when the last message has grown. */
  open(id: string): Promise<void>;
  send(id: string, text: string): Promise<void>;
  approve(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  view(id: string): View;
  seen(id: string): Seen;
  /** The ids and titles of all sessions. */
  list(): Promise<readonly (readonly [id: string, title: string])[]>;
  sync(): Promise<void>;
  syncOf(id: string): Promise<SessionSync | undefined>;
  getStatus(): SyncedStoreStatus;
  /** Resolves with the ms after which the list has so many sessions, and after which their logs are here. */
  timeList(count: number): Promise<{ readonly rows: number; readonly logs: number }>;
  /** Resolves with the ms of single writes, to a store alone and to a store with its replica. */
  timeWrites(count: number): Promise<{ readonly local: readonly number[]; readonly replica: readonly number[] }>;
  readonly forks: ForkNotice[];
  /** The calls whose tool has acted on this device. */
  readonly ran: string[];
}
