import { Observable } from 'rxjs';
import { fail } from '../../core/error.ts';
import type { Json } from '../../core/json.ts';
import type { Ports } from '../../core/ports.ts';
import type { Coder } from './coder.ts';
import type { NatsLink } from './connection.ts';
import { isNobody, toLinkError } from './nats-errors.ts';
import type { Subjects } from './subjects.ts';

/** Messages between the pages that show a session. None is stored, and a message may be lost. */
export interface LiveChannel {
  /**
   * Sends a value to the pages that listen. Rejects with AgentError `STORAGE_REJECTED` for a value that is not JSON, and with `INVALID_INPUT` for
   * one that is larger than a message.
   */
  send(sessionId: string, value: Json): Promise<void>;
  /** Emits what other pages send from the subscription on. */
  listen(sessionId: string): Observable<Json>;
  /**
   * Announces that a person or a page is here, to the pages that ask. Resolves with a function that ends the presence; a connection that is closed ends it,
   * too.
   */
  announce(sessionId: string, who: Json): Promise<() => void>;
  /** Resolves with the announced persons and pages. Waits 300 ms after the last answer; resolves at once where there are none. */
  present(sessionId: string): Promise<readonly Json[]>;
}

interface LiveOptions {
  readonly link: NatsLink;
  readonly ports: Pick<Ports, 'id'>;
  readonly subjects: Subjects;
  readonly coder: () => Promise<Coder>;
}

export function createLiveChannel({ link, ports, subjects, coder }: LiveOptions): LiveChannel {
  /** Marks what this page sends. */
  const sender = ports.id();

  async function encode(sessionId: string, value: Json): Promise<Uint8Array> {
    const bytes = await (await coder()).encode([sender, value], ['live', sessionId]);
    if (bytes.length > (link.info?.max_payload ?? Infinity))
      fail('INVALID_INPUT', `A live message of ${bytes.length} bytes is larger than a message of the NATS server.`);
    return bytes;
  }

  /** Resolves with the sender and the value; with an empty list for bytes that no page of the user has sent. */
  async function decode(sessionId: string, data: Uint8Array): Promise<readonly Json[]> {
    // The client reuses its buffers.
    const content = await (await coder()).decode(data.slice(), ['live', sessionId]).catch(() => undefined);
    const isOwn = Array.isArray(content) && content.length === 2;
    return isOwn ? Array.from<Json>(content) : [];
  }

  return {
    async send(sessionId, value) {
      link.publish(subjects.live(sessionId, 'text'), await encode(sessionId, value));
    },

    listen: (sessionId) =>
      new Observable((subscriber) => {
        const tell = async (data: Uint8Array): Promise<void> => {
          const [from, value] = await decode(sessionId, data);
          if (value !== undefined && from !== sender) subscriber.next(value);
        };
        const subscription = link.subscribe(subjects.live(sessionId, 'text'), {
          callback: (error, { data }) => (error ? subscriber.error(toLinkError(error)) : void tell(data)),
        });
        return () => subscription.unsubscribe();
      }),

    async announce(sessionId, who) {
      const subscription = link.subscribe(subjects.live(sessionId, 'who'), {
        callback(_error, message) {
          void encode(sessionId, who).then((bytes) => message.respond(bytes));
        },
      });
      return () => subscription.unsubscribe();
    },

    async present(sessionId) {
      const found: Json[] = [];
      try {
        const subject = subjects.live(sessionId, 'who');
        for await (const { data } of await link.requestMany(subject, '', { strategy: 'stall', maxWait: 2000 })) {
          const [, who] = await decode(sessionId, data);
          if (who !== undefined) found.push(who);
        }
      } catch (thrown) {
        if (!isNobody(thrown)) throw toLinkError(thrown);
      }
      return found;
    },
  };
}
