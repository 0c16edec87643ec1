import { Observable } from 'rxjs';
import { AgentError } from '../error.ts';
import { isJsonObject, parseJson } from '../json.ts';
import type { EventBody } from '../model/event.ts';
import type { Usage } from '../model/message.ts';
import type { LLMChunk } from '../model/llm.ts';

/**
 * Converts the chunks of a client to events. Errors when the source errors, and with `STREAM_INTERRUPTED` when the source completes
 * without a `finish` chunk.
 *
 * @param newId returns the id of a call: the ids of providers repeat, or are missing
 */
export function toReplyEvents(chunks$: Observable<LLMChunk>, newId: () => string): Observable<EventBody> {
  return new Observable((subscriber) => {
    const callIds = new Map<number, string>();
    let usage: Usage | undefined;
    let ended = false;

    function callIdOf(index: number): string {
      const callId = callIds.get(index) ?? newId();
      callIds.set(index, callId);
      return callId;
    }

    function toEvent(chunk: LLMChunk): EventBody | undefined {
      switch (chunk.type) {
        case 'text':
          return chunk.text === '' ? undefined : { type: 'text.delta', text: chunk.text };
        case 'reasoning':
          return chunk.text === '' && chunk.provider === undefined ? undefined : { ...chunk, type: 'reasoning.delta' };
        case 'call': {
          const { index, ...piece } = chunk;
          return { ...piece, type: 'call.delta', callId: callIdOf(index) };
        }
        case 'call-end': {
          const { index, id: _theirs, ...call } = chunk;
          const input = parseJson(chunk.inputText);
          return { ...call, type: 'call.requested', callId: callIdOf(index), ...(isJsonObject(input) && { input }) };
        }
        case 'part':
          return { type: 'part.added', part: chunk.part };
        case 'usage':
          usage = chunk.usage;
          return undefined;
        case 'finish': {
          ended = true;
          const { type: _type, reason, ...more } = chunk;
          return { ...more, type: 'reply.ended', finish: reason, ...(usage && { usage }) };
        }
      }
    }

    return chunks$.subscribe({
      next: (chunk) => {
        const event = ended ? undefined : toEvent(chunk);
        if (event !== undefined) subscriber.next(event);
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => {
        if (ended) subscriber.complete();
        else subscriber.error(new AgentError('The reply ended without its end mark.', { code: 'STREAM_INTERRUPTED' }));
      },
    });
  });
}
