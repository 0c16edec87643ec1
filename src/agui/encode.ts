import { Observable } from 'rxjs';
import type { Json, JsonObject } from '../core/json.ts';
import { isDelta, type SessionEvent } from '../core/model/event.ts';
import { findCall } from '../core/model/find-call.ts';
import { openRun, type SessionState } from '../core/model/state.ts';
import { resultText } from '../core/model/tool-result.ts';
import type { AgentSession } from '../core/session/session.ts';
import { beginReply, closePart, endCall, grow, growCall, isGrowing, type ReplyWriting } from './encode-reply.ts';
import {
  beginWriting,
  endRun,
  interrupt,
  start,
  startStep,
  withReply,
  type Writing,
  type WritingStep,
} from './encode-run.ts';
import type { AGUIEvent } from './event.ts';
import { toPatch } from './json-patch.ts';
import { toAGUIMessages } from './messages.ts';
import { inOrder } from './step.ts';
import { toTokenUsage } from './token-usage.ts';

/**
 * Returns the runs of a session as AG-UI events, for pages and tools that speak AG-UI. Cold: a subscriber in the middle of a run first
 * receives a snapshot of the messages so far.
 *
 * - A request to the model with its calls is a step.
 * - A run that waits for a person finishes with the outcome `interrupt`, one interrupt for each waiting call; one that waits for tools of the
 *   front end only, with `success`. Its continuation is a run with the suffix `-2`, `-3`, … in its id.
 * - The session's metadata is the state: a snapshot when a run begins, deltas while it runs.
 * - Progress of tools and parts without an AG-UI event are `CUSTOM` events, `brooklet.call.progress` and `brooklet.part`.
 */
export function toAGUIEvents(session: Pick<AgentSession, 'id' | 'events$' | 'getState'>): Observable<AGUIEvent> {
  return new Observable((subscriber) => {
    let writing = beginWriting(session.id);
    const emit = ([next, events]: WritingStep<AGUIEvent>): void => {
      writing = next;
      for (const event of events) subscriber.next(event);
    };
    emit(joinRun(writing, session.getState()));
    return session.events$.subscribe({
      next: (event) => emit(writeEvent(writing, event, session.getState)),
      complete: () => subscriber.complete(),
    });
  });
}

type CallDelta = Extract<SessionEvent, { readonly type: 'call.delta' }>;

/** Writes the beginning of the run that is open, for a subscriber in the middle of it. */
export function joinRun(writing: Writing, state: SessionState): WritingStep<AGUIEvent> {
  const running = openRun(state);
  if (running === undefined) return [writing, []];
  const step: WritingStep = inOrder(writing, [
    (before) => start(before, state, running.id),
    (before) => [
      { ...before, reply: beginReply(before.reply, running.openReply ?? '', true) },
      [{ type: 'MESSAGES_SNAPSHOT', messages: toAGUIMessages(state.messages) }],
    ],
    (before) => interrupt(before, state),
  ]);
  return withTime(step, state.updatedAt);
}

/** @param getState returns the state of the session after the event; called only where it is needed, not for each delta */
export function writeEvent(
  writing: Writing,
  event: SessionEvent,
  getState: () => SessionState,
): WritingStep<AGUIEvent> {
  const step: WritingStep = inOrder(writing, [
    (before) => open(before, event, getState),
    (before) => (before.run === undefined ? [before, []] : writeWithin(before, event, getState)),
  ]);
  return withTime(step, event.at);
}

function withTime([writing, events]: WritingStep, timestamp: number): WritingStep<AGUIEvent> {
  return [writing, events.map((event) => ({ ...event, timestamp }))];
}

/** Begins an AG-UI run where an event begins or continues a run of the session. */
function open(writing: Writing, event: SessionEvent, getState: () => SessionState): WritingStep {
  if (event.type === 'run.started')
    return inOrder(writing, [
      (before) => endRun(before, { outcome: 'interrupted' }),
      (before) => start(before, getState(), event.runId, event.resumes),
    ]);
  if (writing.run !== undefined) return [writing, []];
  if (event.type === 'approval.decided') {
    const running = openRun(getState());
    if (running) return start(writing, getState(), running.id);
  }
  // The run was cancelled while it waited.
  if (event.type === 'run.ended' && event.runId === writing.sessionRun) return start(writing, getState(), event.runId);
  return [writing, []];
}

/** Writes an event of the open run. */
function writeWithin(writing: Writing, event: SessionEvent, getState: () => SessionState): WritingStep {
  // A delta changes no status, and the state is not reduced for each of them.
  if (isDelta(event)) return toStep(writing, event, getState);
  return inOrder(writing, [
    (before) => toStep(before, event, getState),
    (before) => (before.run === undefined ? [before, []] : interrupt(before, getState())),
  ]);
}

function toStep(writing: Writing, event: SessionEvent, getState: () => SessionState): WritingStep {
  const { reply } = writing;
  switch (event.type) {
    case 'metadata.changed':
      return share(writing, event.metadata);
    case 'reply.started': {
      const [next, out] = startStep(writing);
      return [{ ...next, reply: beginReply(reply, event.messageId) }, out];
    }
    case 'text.delta':
    case 'reasoning.delta':
      return withReply(writing, grow(reply, event.type, event.text));
    case 'call.delta':
      return withReply(writing, growCall(reply, event.callId, nameOf(reply, event, getState), event.text));
    case 'call.requested': {
      const { callId, name, inputText } = event;
      return inOrder(writing, [
        (before) => withReply(before, growCall(reply, callId, name, isGrowing(reply, callId) ? '' : inputText)),
        (before) => withReply(before, endCall(before.reply, callId)),
      ]);
    }
    case 'part.added':
      return [writing, [{ type: 'CUSTOM', name: 'brooklet.part', value: toValue(event.part) }]];
    case 'reply.ended': {
      const [next, out] = withReply(writing, closePart(reply));
      const usages = event.usage ? [...next.usages, toTokenUsage(event.usage, event.model)] : next.usages;
      return [{ ...next, usages }, out];
    }
    case 'call.progress': {
      const { callId, progress } = event;
      return [writing, [{ type: 'CUSTOM', name: 'brooklet.call.progress', value: { callId, progress } }]];
    }
    case 'approval.decided':
      return event.verdict === 'approved' ? [writing, []] : writeResult(writing, getState(), event.callId);
    case 'call.ended':
      return writeResult(writing, getState(), event.callId);
    case 'run.ended':
      return endRun(writing, event);
    default:
      // All other events concern the conversation, not a run.
      return [writing, []];
  }
}

function share(writing: Writing, metadata: JsonObject): WritingStep {
  const next = { ...writing, shared: metadata };
  const delta = writing.shared && toPatch(writing.shared, metadata);
  if (delta === undefined) return [next, [{ type: 'STATE_SNAPSHOT', snapshot: metadata }]];
  return [next, delta.length > 0 ? [{ type: 'STATE_DELTA', delta }] : []];
}

function writeResult(writing: Writing, state: SessionState, toolCallId: string): WritingStep {
  const call = findCall(state, toolCallId)?.call;
  if (!call) return [writing, []];
  const [next, out] = withReply(writing, endCall(writing.reply, toolCallId));
  const messageId = `${toolCallId}-result`;
  return [next, [...out, { type: 'TOOL_CALL_RESULT', messageId, toolCallId, role: 'tool', content: resultText(call) }]];
}

/** The first delta of a call has the name; a subscriber in the middle of a run may have missed it. */
function nameOf(reply: ReplyWriting, { callId, name }: CallDelta, getState: () => SessionState): string {
  return name ?? (isGrowing(reply, callId) ? '' : (findCall(getState(), callId)?.call.name ?? ''));
}

function toValue(part: object): Json {
  return { ...part };
}
