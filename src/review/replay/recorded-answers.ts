import { Observable, type Subscriber } from 'rxjs';
import { fromErrorInfo } from '../../core/error.ts';
import type { DeltaEvent, SessionEvent } from '../../core/model/event.ts';
import type { LLMChunk, LLMClient } from '../../core/model/llm.ts';
import { isCompaction } from './event-content.ts';
import type { Recorded } from './facts.ts';
import type { Recording } from './recording.ts';

/** The answer to the request that is open. */
interface OpenAnswer {
  /** Sends what the log says that the model sent next. */
  send(event: SessionEvent): void;
  /** Ends an answer whose last chunk has been sent: completes, or fails as the recorded run did. Returns whether there was one to end. */
  finish(): boolean;
  fail(error: unknown): void;
}

export interface RecordedAnswers {
  readonly client: LLMClient;
  /** The answer that the session awaits; `undefined` without a request. */
  getOpen(): OpenAnswer | undefined;
}

/** Creates a client whose answers are those of the log, sent piece by piece as the replay advances. */
export function createRecordedAnswers(recording: Recording): RecordedAnswers {
  let open: OpenAnswer | undefined;
  return {
    getOpen: () => open,
    client: {
      sendRequest: () =>
        new Observable((subscriber) => {
          const next = recording.upcoming();
          if (isCompaction(next)) return sendSummary(subscriber, next);
          const answer = createAnswer(subscriber, recording);
          open = answer;
          return () => {
            if (open === answer) open = undefined;
          };
        }),
    },
  };
}

function createAnswer(subscriber: Subscriber<LLMChunk>, recording: Recording): OpenAnswer {
  const indexes = new Map<string, number>();
  let isFinished = false;

  function indexOf(callId: string): number {
    const index = indexes.get(callId) ?? indexes.size;
    indexes.set(callId, index);
    return index;
  }

  function chunksOf(event: SessionEvent): readonly LLMChunk[] {
    switch (event.type) {
      case 'text.delta':
      case 'reasoning.delta':
        return event.type === 'reasoning.delta' ? reasoningOf(event) : [{ type: 'text', text: event.text }];
      case 'call.delta': {
        const { callId, name, text } = event;
        return [{ type: 'call', index: indexOf(callId), text, ...(name !== undefined && { name }) }];
      }
      case 'call.requested': {
        const { callId, name, inputText, provider } = event;
        return [
          { type: 'call-end', index: indexOf(callId), name, inputText, ...(provider !== undefined && { provider }) },
        ];
      }
      case 'part.added':
        return [{ type: 'part', part: event.part }];
      case 'reply.ended': {
        const { finish: reason, raw, model, usage } = event;
        return [
          ...(usage ? [{ type: 'usage', usage } as const] : []),
          { type: 'finish', reason, ...(raw !== undefined && { raw }), ...(model !== undefined && { model }) },
        ];
      }
      default:
        return [];
    }
  }

  return {
    send(event) {
      for (const chunk of chunksOf(event)) subscriber.next(chunk);
      isFinished = event.type === 'reply.ended';
    },
    finish() {
      if (!isFinished) return false;
      const next = recording.upcoming();
      const isCut = next?.type === 'run.ended' && next.outcome !== 'completed' && next.outcome !== 'limit';
      if (isCut && next.error) subscriber.error(fromErrorInfo(next.error));
      else if (isCut) return false;
      else subscriber.complete();
      return true;
    },
    fail: (error) => subscriber.error(error),
  };
}

/** Answers the request of a summary. */
function sendSummary(
  subscriber: Subscriber<LLMChunk>,
  event: Recorded<'context.compacted' | 'context.compaction-failed'>,
): void {
  const { usage, model } = event;
  subscriber.next({ type: 'text', text: 'summary' in event ? (event.summary ?? '') : '-' });
  if (usage) subscriber.next({ type: 'usage', usage });
  subscriber.next({ type: 'finish', reason: 'stop', ...(model !== undefined && { model }) });
  subscriber.complete();
}

/** Returns a reasoning in two pieces where it was joined from several: the first one came earlier than the last one. */
function reasoningOf({
  text,
  startedAt,
  provider,
}: Extract<DeltaEvent, { type: 'reasoning.delta' }>): readonly LLMChunk[] {
  const last = (piece: string): LLMChunk => ({
    type: 'reasoning',
    text: piece,
    ...(provider !== undefined && { provider }),
  });
  if (startedAt === undefined || text === '') return [last(text)];
  const rest = text.slice(1);
  return rest === '' && provider === undefined
    ? [last(text)]
    : [{ type: 'reasoning', text: text.slice(0, 1) }, last(rest)];
}
