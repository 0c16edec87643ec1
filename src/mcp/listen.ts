import { isJsonObject, type JsonObject } from '../core/json.ts';
import { Trouble } from './errors.ts';
import { parseMessage, readEvents } from './read-body.ts';
import { type Dressed, openStream, pause, post, type Wire } from './wire.ts';

/** ms */
const firstWait = 1_000;
const longestWait = 300_000;

/** A stream of messages that belong to no request. */
interface Source {
  readonly isStateless: boolean;
  /** Returns the request for the stream. */
  readonly request: () => Dressed;
  readonly onMessage: (message: JsonObject) => void;
}

/**
 * Reads the messages that belong to no request, and connects again when the stream breaks off: at longer and longer intervals, until a
 * message arrives.
 */
export async function listen(wire: Wire, source: Source, signal: AbortSignal): Promise<void> {
  const read = source.isStateless ? readSubscription : readStream;
  let wait = firstWait;
  const heard: Source = {
    ...source,
    onMessage(message) {
      wait = firstWait;
      source.onMessage(message);
    },
  };
  while (!signal.aborted) {
    try {
      if (!(await read(wire, heard, signal))) return;
    } catch (thrown) {
      if (thrown instanceof Trouble && !/interrupted|unreachable|offline|failed/.test(thrown.problem)) return;
    }
    await pause(wire, wait, signal).catch(() => {});
    wait = Math.min(wait * 2, longestWait);
  }
}

/** Reads a stream of the stateless revision to its end. Resolves with whether the server has such a stream. */
async function readSubscription(wire: Wire, { request, onMessage }: Source, signal: AbortSignal): Promise<boolean> {
  const { params, headers } = request();
  const subscription = { jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params };
  const { message } = await post(wire, subscription, { headers, signal, onMessage });
  return message !== undefined && !isJsonObject(message.error);
}

/** As `readSubscription`, under a revision with a session. */
async function readStream(wire: Wire, { request, onMessage }: Source, signal: AbortSignal): Promise<boolean> {
  const body = await openStream(wire, { headers: request().headers, signal });
  if (body === undefined) return false;
  for await (const { data } of readEvents(body)) if (data) onMessage(parseMessage(data));
  return true;
}
