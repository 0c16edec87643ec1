import type { NatsConnection } from '@nats-io/nats-core';
import { type StreamConfigOptions, toStreamConfig } from 'brooklet/nats';

/** A request of an operator to the JSON API. Rejects with what the server refuses. */
export async function api(
  connection: NatsConnection,
  subject: string,
  body: object = {},
  timeout = 10_000,
): Promise<unknown> {
  const answer: { readonly error?: { readonly description?: string } } = (
    await connection.request(`$JS.API.${subject}`, JSON.stringify(body), { timeout })
  ).json();
  if (answer.error) throw new Error(answer.error.description);
  return answer;
}

/** Creates the stream of a user, as whoever runs the server does. */
export async function addStream(connection: NatsConnection, options: StreamConfigOptions): Promise<void> {
  const { stream = `BROOKLET_${options.user}` } = options;
  await api(connection, `STREAM.CREATE.${stream}`, toStreamConfig(options));
}

/** What a stream has. */
export interface StreamState {
  readonly messages: number;
  readonly bytes: number;
}

export async function streamState(connection: NatsConnection, stream: string): Promise<StreamState> {
  const info = await api(connection, `STREAM.INFO.${stream}`);
  const { state } = info as { readonly state: StreamState };
  return state;
}
