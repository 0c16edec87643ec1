import type { NatsConnection } from '@nats-io/nats-core';

/** What a store uses of a connection. `wsconnect` of `@nats-io/nats-core` and `connect` of `@nats-io/transport-node` return such connections. */
export type NatsLink = Pick<
  NatsConnection,
  'info' | 'isClosed' | 'publish' | 'request' | 'requestMany' | 'status' | 'subscribe'
>;
