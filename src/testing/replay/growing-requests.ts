import type { PreparedRequest } from '../../core/context/prepare-request.ts';
import type { Message } from '../../core/model/message.ts';
import type { SessionState } from '../../core/model/state.ts';

/**
 * Makes the next request of a conversation.
 *
 * @param lead number of messages before the conversation: instructions and presets
 * @param prepare makes the request of a state
 */
export type MakeRequest = (
  state: SessionState,
  lead: number,
  prepare: (state: SessionState) => PreparedRequest,
) => PreparedRequest;

/**
 * Returns a function that makes the same requests as `prepare`, and lets it convert only what the conversation has more than at the last
 * request. The list of messages of a request is made when it is read: the lists of all requests together grow with the square of the log.
 *
 * Invariant: what the model sees of a message follows from that message and the one after it. Not for requests whose messages are counted.
 */
export function createGrowingRequests(): MakeRequest {
  /** The messages of the last request. */
  let before: readonly Message[] = [];
  /** What the model sees of these messages, without the last one: what follows it was not known. Earlier requests have its beginning. */
  let seen: Message[] = [];

  return (state, lead, prepare) => {
    const { messages } = state;
    const last = messages.at(-1);
    const known = Math.max(before.length - 1, 0);
    let same = 0;
    while (same < known && same < messages.length - 1 && before[same] === messages[same]) same++;
    if (same < known) {
      same = 0;
      seen = [];
    }
    before = messages;
    const prepared = prepare({ ...state, messages: messages.slice(same) });
    const { sessionId, messages: made, ...parameters } = prepared.request;
    const fresh = made.slice(lead);
    const end = fresh.findIndex(({ id }) => id === last?.id);
    const [all, length] = [seen, seen.length];
    let list: readonly Message[] | undefined;
    const request = {
      sessionId,
      get messages() {
        return (list ??= made.slice(0, lead).concat(all.slice(0, length), fresh));
      },
      ...parameters,
    };
    seen.push(...(end < 0 ? fresh : fresh.slice(0, end)));
    return { ...prepared, request };
  };
}
