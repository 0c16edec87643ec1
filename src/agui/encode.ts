import { Observable } from 'rxjs';
import { defined, type Json, type JsonObject } from '../core/json.ts';
import { resultText } from '../core/model/tool-result.ts';
import { findCall } from '../core/model/find-call.ts';
import type { SessionEvent } from '../core/model/event.ts';
import { openRun, type SessionState } from '../core/model/state.ts';
import type { Usage } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import type { AGUIEvent } from './event.ts';
import { toAGUIMessages } from './messages.ts';

/**
 * Returns the runs of a session as AG-UI events, for pages and tools that speak AG-UI. Cold: a subscriber in the middle of a run first
 * receives a snapshot of the messages so far. Calls that await a person, progress of tools, and parts without an AG-UI event are `CUSTOM`
 * events.
 */
export function toAGUIEvents(session: Pick<AgentSession, 'id' | 'events$' | 'getState'>): Observable<AGUIEvent> {
  return new Observable((subscriber) => {
    const encoder = createEncoder(session.id, session.getState);
    const emit = (events: Iterable<AGUIEvent>): void => {
      for (const event of events) subscriber.next(event);
    };
    emit(encoder.begin());
    return session.events$.subscribe({
      next: (event) => emit(encoder.encode(event)),
      complete: () => subscriber.complete(),
    });
  });
}

/** Without its timestamp, which is that of the session event. */
type Untimed<T> = T extends AGUIEvent ? Omit<T, 'timestamp'> : never;

function createEncoder(threadId: string, getState: () => SessionState) {
  let run: string | undefined;
  let reply = '';
  /** AG-UI messages of the reply so far: each of its texts is a message of its own. */
  let count = 0;
  /** Id of the message that calls belong to. */
  let parent = '';
  /** Reasoning messages of the reply so far. */
  let reasonings = 0;
  let open: { readonly type: 'text.delta' | 'reasoning.delta'; readonly messageId: string } | undefined;
  /** Ids of calls whose input is not complete. */
  const growing = new Set<string>();
  const usages: JsonObject[] = [];

  function nextMessage(): string {
    parent = count++ === 0 ? reply : `${reply}-${count}`;
    return parent;
  }

  function* close(): Generator<Untimed<AGUIEvent>> {
    if (open === undefined) return;
    const { type, messageId } = open;
    open = undefined;
    if (type === 'text.delta') yield { type: 'TEXT_MESSAGE_END', messageId };
    else {
      yield { type: 'REASONING_MESSAGE_END', messageId };
      yield { type: 'REASONING_END', messageId };
    }
  }

  function* grow(type: 'text.delta' | 'reasoning.delta', delta: string): Generator<Untimed<AGUIEvent>> {
    if (delta === '') return;
    if (open?.type !== type) {
      yield* close();
      const messageId = type === 'text.delta' ? nextMessage() : `${reply}-thought-${++reasonings}`;
      open = { type, messageId };
      if (type === 'text.delta') yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
      else {
        yield { type: 'REASONING_START', messageId };
        yield { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' };
      }
    }
    const { messageId } = open;
    yield type === 'text.delta'
      ? { type: 'TEXT_MESSAGE_CONTENT', messageId, delta }
      : { type: 'REASONING_MESSAGE_CONTENT', messageId, delta };
  }

  function* growCall(toolCallId: string, name: string, delta: string): Generator<Untimed<AGUIEvent>> {
    if (!growing.has(toolCallId)) {
      yield* close();
      growing.add(toolCallId);
      yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: name, parentMessageId: parent || nextMessage() };
    }
    if (delta !== '') yield { type: 'TOOL_CALL_ARGS', toolCallId, delta };
  }

  function* endCall(toolCallId: string): Generator<Untimed<AGUIEvent>> {
    if (growing.delete(toolCallId)) yield { type: 'TOOL_CALL_END', toolCallId };
  }

  function* emitResult(toolCallId: string): Generator<Untimed<AGUIEvent>> {
    const call = findCall(getState(), toolCallId)?.call;
    if (call)
      yield {
        type: 'TOOL_CALL_RESULT',
        messageId: `${toolCallId}-result`,
        toolCallId,
        role: 'tool',
        content: resultText(call),
      };
  }

  function* endRun({
    outcome,
    error,
    limit,
  }: Pick<Ended, 'outcome' | 'error' | 'limit'>): Generator<Untimed<AGUIEvent>> {
    if (run === undefined) return;
    yield* close();
    for (const callId of growing) yield* endCall(callId);
    const runId = run;
    run = undefined;
    if (outcome === 'failed' || outcome === 'interrupted')
      yield {
        type: 'RUN_ERROR',
        message: error?.message ?? 'The run was interrupted. Send the message again.',
        code: error?.code ?? 'STREAM_INTERRUPTED',
      };
    else
      yield {
        type: 'RUN_FINISHED',
        threadId,
        runId,
        outcome: { type: outcome === 'cancelled' ? 'cancelled' : 'success' },
        ...(limit && { result: { limit } }),
        ...(usages.length > 0 && { usage: usages.splice(0) }),
      };
  }

  function* toEvents(event: SessionEvent): Generator<Untimed<AGUIEvent>> {
    if (event.type === 'run.started') {
      yield* endRun({ outcome: 'interrupted' });
      run = event.runId;
      usages.length = 0;
      yield { type: 'RUN_STARTED', threadId, runId: run, ...defined({ parentRunId: event.resumes }) };
    }
    if (run === undefined) return;
    switch (event.type) {
      case 'reply.started':
        reply = event.messageId;
        count = 0;
        parent = '';
        break;
      case 'text.delta':
      case 'reasoning.delta':
        yield* grow(event.type, event.text);
        break;
      case 'call.delta':
        yield* growCall(event.callId, event.name ?? '', event.text);
        break;
      case 'call.requested':
        yield* growCall(event.callId, event.name, growing.has(event.callId) ? '' : event.inputText);
        yield* endCall(event.callId);
        break;
      case 'part.added':
        yield { type: 'CUSTOM', name: 'brooklet.part', value: toValue(event.part) };
        break;
      case 'reply.ended':
        yield* close();
        if (event.usage) usages.push(toTokenUsage(event.usage, event.model));
        break;
      case 'approval.requested': {
        const { callId, expiresAt, elicitation } = event;
        yield {
          type: 'CUSTOM',
          name: 'brooklet.approval.requested',
          value: defined({ callId, expiresAt, elicitation }),
        };
        break;
      }
      case 'call.progress': {
        const { callId, progress } = event;
        yield { type: 'CUSTOM', name: 'brooklet.call.progress', value: { callId, progress } };
        break;
      }
      case 'approval.decided':
        if (event.verdict !== 'approved') yield* emitResult(event.callId);
        break;
      case 'call.ended':
        yield* emitResult(event.callId);
        break;
      case 'run.ended':
        yield* endRun(event);
        break;
      default:
      // All other events concern the conversation, not a run.
    }
  }

  return {
    *begin(): Generator<AGUIEvent> {
      const state = getState();
      const running = openRun(state);
      if (running === undefined) return;
      run = running.id;
      reply = running.openReply ?? '';
      // The rest of the reply becomes a message of its own.
      count = 1;
      const timestamp = state.updatedAt;
      yield { type: 'RUN_STARTED', threadId, runId: run, timestamp };
      yield { type: 'MESSAGES_SNAPSHOT', messages: toAGUIMessages(state.messages), timestamp };
    },
    *encode(event: SessionEvent): Generator<AGUIEvent> {
      for (const one of toEvents(event)) yield { ...one, timestamp: event.at };
    },
  };
}

type Ended = Extract<SessionEvent, { readonly type: 'run.ended' }>;

function toTokenUsage({ input, output, cached, reasoning }: Usage, model: string | undefined): JsonObject {
  return defined({
    model,
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: cached,
    reasoningTokens: reasoning,
  });
}

function toValue(part: object): Json {
  return { ...part };
}
