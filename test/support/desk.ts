import type { AgentError, SessionStore } from 'brooklet';
import { type EventBody, evolve, initialState, type SessionState, type SessionWrite } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { createLog, type Log } from '../../src/core/log/log.ts';
import type { StoreLink, StoreLinkOptions } from '../../src/core/log/store-link.ts';
import { createStoreLink } from '../../src/core/log/create-store-link.ts';
import { createManualPorts, type ManualPorts } from './ports.ts';

/** A log with its link, and a store that the test can make fail. */
export interface Desk {
  readonly log: Log;
  readonly link: StoreLink;
  readonly ports: ManualPorts;
  /** The writes that reached the store, oldest first. */
  readonly writes: SessionWrite[];
  readonly statuses: string[];
  /** Makes the next writes fail. */
  failing: AgentError | undefined;
  /** Delays writes until the gate is opened. */
  gate: Promise<void> | undefined;
  /** What was read, oldest first: the number above which events were read, if there was one. */
  readonly reads: (number | undefined)[];
  /** Called with each read. */
  onRead: () => void;
  /** The underlying store. */
  readonly memory: SessionStore;
  stored(): Promise<SessionState>;
}

export function desk(start: SessionState = initialState('s'), more: Partial<StoreLinkOptions> = {}): Desk {
  const ports = createManualPorts();
  const memory = createMemoryStore();
  const writes: SessionWrite[] = [];
  const statuses: string[] = [];
  const reads: (number | undefined)[] = [];
  const store: SessionStore = {
    ...memory,
    read(id, options) {
      reads.push(options?.after);
      self.onRead();
      return memory.read(id, options);
    },
    async write(write: SessionWrite) {
      writes.push(write);
      const { failing, gate } = self;
      await gate;
      if (failing) throw failing;
      await memory.write(write);
    },
  };
  const log: Log = createLog(start, ports, (event) => link.add(event));
  const link = createStoreLink({ log, store, ports, ...more });
  link.status$.subscribe(({ state }) => statuses.push(state));
  const self: Desk = {
    log,
    link,
    ports,
    writes,
    statuses,
    reads,
    failing: undefined,
    gate: undefined,
    onRead: () => {},
    memory,
    stored: async () => ((await memory.read('s'))?.events ?? []).reduce(evolve, initialState('s')),
  };
  return self;
}

/** Appends several events, one after the other. */
export function append(log: Log, ...events: readonly EventBody[]): void {
  for (const event of events) log.append(event);
}

/** The events before the first piece of a reply. */
export const opening: readonly EventBody[] = [
  { type: 'session.started', sessionId: 's' },
  { type: 'run.started', runId: 'r' },
  { type: 'reply.started', messageId: 'm' },
];

/** A reply that asks a person for the call `c`. */
export const calling: readonly EventBody[] = [
  ...opening,
  { type: 'call.requested', callId: 'c', name: 'pay', inputText: '{}', input: {} },
  { type: 'approval.requested', callId: 'c' },
];

/** A piece of text of this length. */
export const text = (length: number): EventBody & { readonly type: 'text.delta' } => ({
  type: 'text.delta',
  text: 'x'.repeat(length),
});
