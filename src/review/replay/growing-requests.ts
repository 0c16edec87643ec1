import type { PreparedRequest } from '../../core/context/prepare-request.ts';
import { isEnded } from '../../core/model/call-status.ts';
import { type Message, toolParts } from '../../core/model/message.ts';
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
 *
 * @param mayDiffer whether messages that the last request had, and that are closed, may have changed since: they are compared then
 */
export function createGrowingRequests(mayDiffer: () => boolean = () => true): MakeRequest {
  /** The messages of the last request. */
  let before: readonly Message[] = [];
  /** Whether all of these messages but the last one are closed. */
  let areClosed = true;
  /** Whether an answer was being replaced: the end of the run may have removed any empty reply. */
  let wasReplacing = false;
  /** What the model sees of these messages, without the last one: what follows it was not known. Earlier requests have its beginning. */
  let seen: Message[] = [];

  return (state, lead, prepare) => {
    const { messages } = state;
    const last = messages.at(-1);
    const known = Math.max(before.length - 1, 0);
    const isSure = !mayDiffer() && areClosed && !wasReplacing && messages.length > known;
    let same = isSure ? known : 0;
    while (same < known && same < messages.length - 1 && before[same] === messages[same]) same++;
    if (same < known) {
      same = 0;
      seen = [];
    }
    const added = messages.slice(same);
    areClosed = (same === 0 || areClosed) && added.every((message) => message === last || isClosed(message));
    wasReplacing = state.replaced.length > 0;
    before = messages;
    const prepared = prepare({ ...state, messages: added });
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

/** Whether no event of a call can change the message: none of its calls is open, or may run again. */
function isClosed(message: Message): boolean {
  return toolParts(message).every(({ status }) => isEnded(status) && status !== 'uncertain');
}
