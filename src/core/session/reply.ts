import { Observable } from 'rxjs';
import { AgentError, fail } from '../error.ts';
import { defined, isJsonObject, type Json, merge, parseJson } from '../json.ts';
import { copyJson } from '../model/copy-json.ts';
import type { EventBody } from '../model/event.ts';
import type { Usage } from '../model/message.ts';
import type { LLMChunk } from '../model/llm.ts';

/**
 * Converts the chunks of a client to events. Errors when the source errors, and with `STREAM_INTERRUPTED` when the source completes
 * without a `finish` chunk.
 *
 * @param newId returns the id of a call: the ids of providers repeat, or are missing. Theirs is kept as `provider.id`, to be sent back.
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
          return textOf(chunk) === '' ? undefined : { type: 'text.delta', text: chunk.text };
        case 'reasoning':
          return textOf(chunk) === '' && chunk.provider === undefined
            ? undefined
            : { ...chunk, ...providerOf(chunk), type: 'reasoning.delta' };
        case 'call': {
          const { index, ...piece } = chunk;
          return merge(piece, { type: 'call.delta' as const, text: textOf(chunk), callId: callIdOf(index) });
        }
        case 'call-end': {
          const { index, id, provider, ...call } = chunk;
          const input = parseJson(chunk.inputText);
          const hasRoom = provider === undefined || isJsonObject(provider);
          const theirs = id && hasRoom ? { ...provider, id } : provider;
          return merge(call, {
            ...providerOf(defined({ provider: theirs })),
            type: 'call.requested' as const,
            callId: callIdOf(index),
            ...(isJsonObject(input) && { input }),
          });
        }
        case 'part':
          return { type: 'part.added', part: copied(chunk.part) };
        case 'usage':
          usage = copied(chunk.usage);
          return undefined;
        case 'finish': {
          ended = true;
          const { type: _type, reason, ...more } = chunk;
          return merge(more, { type: 'reply.ended' as const, finish: reason, ...(usage && { usage }) });
        }
      }
    }

    return chunks$.subscribe({
      next: (chunk) => {
        let event: EventBody | undefined;
        try {
          event = ended ? undefined : toEvent(chunk);
        } catch (error) {
          subscriber.error(error);
        }
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

/** Returns the text of a chunk. The client may be the page's own, written without types. */
function textOf({ type, text }: { readonly type: string; readonly text: string }): string {
  return typeof text === 'string' ? text : fail('STREAM_MALFORMED', `A chunk "${type}" of the client has no text.`);
}

function providerOf({ provider }: { readonly provider?: Json }): { readonly provider?: Json } {
  return provider === undefined ? {} : { provider: copied(provider) };
}

/** Invariant: a client that changes an object after it has emitted it does not change the log. */
function copied<T>(value: T): T {
  return copyJson(value, 'A chunk of the client', 'STREAM_MALFORMED');
}
