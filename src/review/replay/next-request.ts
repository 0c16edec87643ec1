import type { Message } from '../../core/model/message.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { ToolSpec } from '../../core/model/settings.ts';
import type { SessionState } from '../../core/model/state.ts';
import type { Recorded } from './facts.ts';
import type { Recording } from './recording.ts';

/** The next request of the log. */
export interface NextRequest {
  readonly reply: Recorded<'reply.started'>;
  /** The state before the reply, with the instructions and tools that the log has then. */
  readonly state: SessionState;
  readonly immutable: readonly Message[];
  readonly tools: readonly ToolSpec[];
}

/** Always the same list, so that it can be compared by its identity. */
const nothing: readonly never[] = [];

/**
 * Returns the next request of the log, with its instructions and tools.
 *
 * @param isNow whether the request has to be the next step of the log. Otherwise any later one is returned.
 */
export function nextRequest(recording: Recording, before: SessionState, isNow: boolean): NextRequest | undefined {
  let state = before;
  for (const event of recording.ahead()) {
    if (event.type === 'instructions.changed')
      state = { ...state, instructions: { contentId: event.contentId, messages: event.messages } };
    else if (event.type === 'tools.changed')
      state = { ...state, tools: { contentId: event.contentId, tools: event.tools } };
    else if (event.type === 'reply.started') {
      const { request } = event;
      return {
        reply: event,
        state,
        immutable: request?.instructions === undefined ? nothing : (state.instructions?.messages ?? nothing),
        tools: request?.tools === undefined ? nothing : (state.tools?.tools ?? nothing),
      };
    } else if (isNow && !isConcurrent(event)) return undefined;
  }
  return undefined;
}
