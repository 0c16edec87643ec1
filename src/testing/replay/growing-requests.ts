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
 * request.
 *
 * Invariant: what the model sees of a message follows from that message and the one after it. Not for requests whose messages are counted.
 */
export function createGrowingRequests(): MakeRequest {
  /** The messages of the last request, without the last one: what follows it was not known. */
  let before: readonly Message[] = [];
  /** What the model sees of these messages. */
  let seen: readonly Message[] = [];

  return (state, lead, prepare) => {
    // A copy: JavaScript engines are slow with a frozen list.
    const old = [...state.messages];
    const last = old.pop();
    let same = 0;
    while (same < before.length && before[same] === old[same]) same++;
    if (same < before.length) {
      same = 0;
      seen = [];
    }
    const prepared = prepare({ ...state, messages: state.messages.slice(same) });
    const { messages } = prepared.request;
    const fresh = messages.slice(lead);
    const end = fresh.findIndex(({ id }) => id === last?.id);
    const request = { ...prepared.request, messages: messages.slice(0, lead).concat(seen, fresh) };
    seen = seen.concat(end < 0 ? fresh : fresh.slice(0, end));
    before = old;
    return { ...prepared, request };
  };
}
