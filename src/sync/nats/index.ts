export { createNatsStore } from './create-nats-store.ts';
export { pruneStream } from './prune-stream.ts';
export { toStreamConfig } from './stream-config.ts';
export type { NatsStore, NatsStoreOptions } from './create-nats-store.ts';
export type { PruneStreamOptions } from './prune-stream.ts';
export type { StreamConfigOptions } from './stream-config.ts';
export type { LiveChannel } from './live.ts';
export type { NatsLink } from './connection.ts';
