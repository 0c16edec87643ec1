import type { AgentSession, SessionStatus } from 'brooklet';
import type { HeldDecision, KnownDevice, SessionSync } from 'brooklet/sync';
import type { ErasedReport } from 'brooklet/storage';

/** How a device comes to its key and into the list of known devices. */
export interface BeginOptions {
  /** Address of the server for WebSocket. */
  readonly url: string;
  readonly user: string;
  /** Name of the device. */
  readonly device: string;
  readonly passphrase?: string;
  readonly code?: string;
  readonly pin?: string;
}

/** A session as the test sees it. */
export interface View {
  readonly status: SessionStatus | undefined;
  /** The texts of the messages, with their roles. */
  readonly messages: readonly string[];
  /** The call that awaits approval. */
  readonly pending?: string;
  readonly held: readonly HeldDecision['why'][];
  readonly sync?: SessionSync['state'];
}

/** What the origin has stored: names of databases with a row, of folders, of entries of `localStorage`. */
interface Stored {
  readonly databases: readonly string[];
  readonly folders: readonly string[];
  readonly entries: readonly string[];
}

/** The functions of the page that the test calls. */
export interface Room {
  /** Connects the device. A device that has begun before needs no passphrase and no code. Resolves with its id. */
  begin(options: BeginOptions): Promise<string>;
  /** Resolves with a code that adds another device. */
  invite(pin: string): Promise<string>;
  devices(): Promise<readonly KnownDevice[]>;
  removeDevice(id: string): Promise<void>;
  /** Tries to export the private key of this device. Resolves with the name of the error, or the format that was allowed. */
  exportKey(): Promise<string>;
  create(): string;
  send(id: string, text: string): Promise<void>;
  /** @param drive `false` proposes only, so that the run stays on the device that asked. Default: `true` */
  approve(id: string, drive?: boolean): Promise<void>;
  view(id: string): Promise<View>;
  /** The ids of all sessions. */
  list(): Promise<readonly string[]>;
  /** `in-step`, `offline`, … of the store. */
  getState(): string;
  /** The calls whose tool has acted on this device. */
  readonly ran: readonly string[];
  /** Keeps something in each place where the package keeps something: keys, notes, a folder of files. */
  keep(): Promise<void>;
  stored(): Promise<Stored>;
  disconnect(): void;
  erase(): Promise<ErasedReport>;
  readonly opened: ReadonlyMap<string, AgentSession>;
}
