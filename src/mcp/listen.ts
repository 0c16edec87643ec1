import { isJsonObject, type JsonObject } from '../core/json.ts';
import { toObject } from '../core/model/read-json.ts';
import { Trouble } from './errors.ts';
import { parseMessage, readEvents } from './read-body.ts';
import { metaKeys, statelessVersion } from './versions.ts';
import { type Dressed, openStream, pause, post, type Wire } from './wire.ts';

/** ms */
const firstWait = 1_000;
const longestWait = 300_000;

type Listener = (message: JsonObject) => void;

/** Reads the messages that belong to no request, and connects again when the stream breaks off. */
export async function listen(
  wire: Wire,
  dress: () => Dressed,
  onMessage: Listener,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = firstWait; !signal.aborted; wait = Math.min(wait * 2, longestWait)) {
    try {
      if (!(await readStream(wire, dress(), onMessage, signal))) return;
    } catch (thrown) {
      if (thrown instanceof Trouble && !/interrupted|unreachable|offline|failed/.test(thrown.problem)) return;
    }
    await pause(wire, wait, signal).catch(() => {});
  }
}

/** Reads one stream to its end. Resolves with whether the server has such a stream. */
async function readStream(
  wire: Wire,
  { params, headers }: Dressed,
  onMessage: Listener,
  signal: AbortSignal,
): Promise<boolean> {
  if (toObject(params._meta)[metaKeys.version] === statelessVersion) {
    const message = { jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params };
    const answer = await post(wire, message, { headers, signal, onMessage });
    return answer.message !== undefined && !isJsonObject(answer.message.error);
  }
  const body = await openStream(wire, { headers, signal });
  if (body === undefined) return false;
  for await (const { data } of readEvents(body)) if (data) onMessage(parseMessage(data));
  return true;
}
