import { named } from '../../core/model/shapes/named.ts';
import type { JsonObject } from '../../core/json.ts';
import { checkName, storedSubjects } from './subjects.ts';

/** Options of `toStreamConfig`. */
export interface StreamConfigOptions {
  readonly user: string;
  /** Default `BROOKLET_<user>`. */
  readonly stream?: string;
  /** Servers that store each message: 1, 3 or 5. Default 1. */
  readonly replicas?: number;
  /** The quota of the user, in bytes. Default: none. */
  readonly maxBytes?: number;
  /**
   * Whether pages may erase what they have replaced or removed. The server cannot limit this right: with one message (`Nats-Rollup: all`) such a
   * page erases the whole stream. Default `false`: a page erases nothing, and the operator of the server calls `pruneStream`.
   */
  readonly rollUp?: boolean;
}

/**
 * Returns the configuration of the stream for one user or team, as `nats stream add --config` and `$JS.API.STREAM.CREATE.<stream>` take it. The
 * operator of the server creates the stream: a page does not have the right.
 *
 * @throws AgentError `INVALID_CONFIG` for a user or a stream whose name cannot be part of a subject
 */
export function toStreamConfig(options: StreamConfigOptions): JsonObject {
  const {
    user,
    stream = `BROOKLET_${user}`,
    replicas = 1,
    maxBytes = -1,
    rollUp = false,
  } = named(options, { user: true, stream: true, replicas: true, maxBytes: true, rollUp: true }, 'toStreamConfig');
  return {
    name: checkName(stream, 'stream'),
    subjects: storedSubjects(checkName(user, 'user')),
    storage: 'file',
    retention: 'limits',
    // A full stream refuses messages. It never deletes old ones.
    discard: 'new',
    max_bytes: maxBytes,
    max_msgs: -1,
    max_age: 0,
    max_consumers: -1,
    max_msg_size: -1,
    num_replicas: replicas,
    // ns. Within this time, a message that is sent twice is stored once.
    duplicate_window: 120_000_000_000,
    allow_rollup_hdrs: rollUp,
  };
}
