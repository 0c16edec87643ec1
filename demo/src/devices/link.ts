import { AgentError } from 'brooklet';
import type { NatsLink } from 'brooklet/nats';
import type { Engine } from '../base/engine.ts';

/** A connection to an engine. */
export interface Link {
  readonly connection: NatsLink;
  /** Resolves when the connection is gone for good: with the reason, if it has not been closed here. */
  readonly closed: Promise<AgentError | undefined>;
  close(): Promise<void>;
}

/** ms */
const patience = 8_000;

/**
 * Connects to an engine once. Rejects with AgentError `AUTHENTICATION_FAILED` where the engine refuses the sign-in, and with `NETWORK_ERROR`
 * where it does not answer.
 */
export async function openLink({ url, user, signIn }: Engine, credential: string): Promise<Link> {
  const { AuthorizationError, UserAuthenticationExpiredError, wsconnect } = await import('@nats-io/nats-core');
  const toError = (thrown: unknown): AgentError => {
    const isRefused = thrown instanceof AuthorizationError || thrown instanceof UserAuthenticationExpiredError;
    return isRefused
      ? new AgentError('The engine refuses the sign-in.', { code: 'AUTHENTICATION_FAILED', cause: thrown })
      : new AgentError('The engine does not answer.', { code: 'NETWORK_ERROR', cause: thrown });
  };
  try {
    const connection = await wsconnect({
      servers: url,
      timeout: patience,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 1_000,
      ...(signIn === 'token' ? { token: credential } : { user, pass: credential }),
    });
    return {
      connection,
      closed: connection.closed().then((reason) => (reason instanceof Error ? toError(reason) : undefined)),
      close: () => connection.close(),
    };
  } catch (thrown) {
    throw toError(thrown);
  }
}
