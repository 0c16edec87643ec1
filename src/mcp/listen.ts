import { isJsonObject, type JsonObject } from '../core/json.ts';
import { toObject, toText } from '../core/model/read-json.ts';
import { Trouble } from './errors.ts';
import { parseMessage, readEvents } from './read-body.ts';
import { metaKeys, statelessVersion } from './versions.ts';
import { type Dressed, openStream, pause, post, type Wire } from './wire.ts';

/** ms */
const firstWait = 1_000;
const longestWait = 300_000;

type Listener = (method: string) => void;

/** Reads the notifications that belong to no request, and connects again when the stream breaks off. */
export async function listen(
  wire: Wire,
  dress: () => Dressed,
  onNotification: Listener,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = firstWait; !signal.aborted; wait = Math.min(wait * 2, longestWait)) {
    try {
      if (!(await readStream(wire, dress(), onNotification, signal))) return;
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
  onNotification: Listener,
  signal: AbortSignal,
): Promise<boolean> {
  if (toObject(params._meta)[metaKeys.version] === statelessVersion) {
    const onMessage = ({ method }: JsonObject): void => onNotification(toText(method));
    const message = { jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params };
    const answer = await post(wire, message, { headers, signal, onMessage });
    return answer.message !== undefined && !isJsonObject(answer.message.error);
  }
  const body = await openStream(wire, { headers, signal });
  if (body === undefined) return false;
  for await (const { data } of readEvents(body)) if (data) onNotification(toText(parseMessage(data).method));
  return true;
}
