import type { SessionEvent } from '../model/event.ts';
import { evolve } from '../model/evolve.ts';
import type { LLMRequest } from '../model/llm.ts';
import type { ZoneTokens } from '../model/message.ts';
import type { RequestRecord } from '../model/settings.ts';
import { initialState, type SessionState } from '../model/state.ts';
import { upcastLog } from '../model/upcast.ts';
import { estimatedCaps } from './cap.ts';
import { toRequest } from './prepare-request.ts';
import { toRequestMessages } from './visible-messages.ts';
import { createZoning, joinZones } from './zones.ts';

/**
 * Returns the request that a reply answered, rebuilt from the log alone: the same client sends the same bytes for the rebuilt request.
 * The scratch is not stored, so it is missing here; `ZoneTokens.scratch` of the reply contains its number of tokens.
 *
 *     const stored = await store.read(sessionId);
 *     const request = stored && rebuildRequest(stored.events, messageId);
 *
 * @param events the log of one session, in the order of `seq`, from the first event on
 * @param messageId id of the reply
 * @returns `undefined` when the log has no such reply, or is of version 1, which did not record requests
 */
export function rebuildRequest(events: readonly SessionEvent[], messageId: string): LLMRequest | undefined {
  let state: SessionState | undefined;
  for (const event of upcastLog(events)) {
    state ??= initialState(event.type === 'session.started' ? event.sessionId : '');
    if (event.type === 'reply.started' && event.messageId === messageId)
      return event.request && requestOf(state, event.request, event.context);
    state = evolve(state, event);
  }
  return undefined;
}

/** Returns the request of a recorded reply, given the state before that reply. */
export function requestOf(state: SessionState, record: RequestRecord, context?: ZoneTokens): LLMRequest {
  const immutable = record.instructions === undefined ? [] : (state.instructions?.messages ?? []);
  const tools = record.tools === undefined ? [] : (state.tools?.tools ?? []);
  const { maxMessages, toolOutput = Infinity, pinned = [] } = record;
  const messages =
    context === undefined
      ? toRequestMessages(state.messages, { immutable, maxMessages })
      : joinZones(
          createZoning({ immutable, caps: estimatedCaps(toolOutput), maxMessages }).zones(state, {
            pinned: new Set(pinned),
          }),
        );
  return toRequest(state, { messages, tools, record, output: state.run?.settings?.output });
}
