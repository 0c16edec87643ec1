import { Observable } from 'rxjs';
import { defined, type Json, type JsonObject } from '../core/json.ts';
import { isDelta, type SessionEvent } from '../core/model/event.ts';
import { findCall } from '../core/model/find-call.ts';
import { openRun, type SessionState } from '../core/model/state.ts';
import { callsAwaitingApproval, statusOf } from '../core/model/status.ts';
import { resultText } from '../core/model/tool-result.ts';
import type { AgentSession } from '../core/session/session.ts';
import { createReplyEncoder, type Untimed } from './encode-reply.ts';
import { toInterrupt } from './encode-interrupt.ts';
import type { AGUIEvent, AGUIOutcome } from './event.ts';
import { isFrontEndCall } from './front-end-tool.ts';
import { toPatch } from './json-patch.ts';
import { toAGUIMessages } from './messages.ts';
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

/** Encodes the events of one session. */
export interface Encoder {
  /** Returns the events for a subscriber in the middle of a run. */
  begin(): Generator<AGUIEvent>;
  encode(event: SessionEvent): Generator<AGUIEvent>;
}

type Ended = Extract<SessionEvent, { readonly type: 'run.ended' }>;
type CallDelta = Extract<SessionEvent, { readonly type: 'call.delta' }>;

/** @param runIdOf returns the AG-UI id of a run. `part` is 1 for its beginning, 2 for what follows its first interrupt, … */
export function createEncoder(
  threadId: string,
  getState: () => SessionState,
  runIdOf: (runId: string, part: number) => string = (runId, part) => (part === 1 ? runId : `${runId}-${part}`),
): Encoder {
  /** Id of the AG-UI run that is open. */
  let run: string | undefined;
  /** Id of the session's run, and the number of its AG-UI runs. */
  let sessionRun: string | undefined;
  let part = 0;
  let steps = 0;
  let isStepOpen = false;
  /** The state as it was sent last. */
  let shared: JsonObject | undefined;
  const usages: JsonObject[] = [];
  const replies = createReplyEncoder();

  function* start(runId: string, parentRunId?: string): Generator<Untimed> {
    part = runId === sessionRun ? part + 1 : 1;
    if (runId !== sessionRun) steps = 0;
    sessionRun = runId;
    usages.length = 0;
    run = runIdOf(runId, part);
    yield { type: 'RUN_STARTED', threadId, runId: run, ...defined({ parentRunId }) };
    shared = getState().metadata;
    if (shared) yield { type: 'STATE_SNAPSHOT', snapshot: shared };
  }

  function* share(metadata: JsonObject): Generator<Untimed> {
    const delta = shared && toPatch(shared, metadata);
    shared = metadata;
    if (delta === undefined) yield { type: 'STATE_SNAPSHOT', snapshot: metadata };
    else if (delta.length > 0) yield { type: 'STATE_DELTA', delta };
  }

  function* startStep(): Generator<Untimed> {
    yield* endStep();
    steps += 1;
    isStepOpen = true;
    yield { type: 'STEP_STARTED', stepName: `step ${steps}` };
  }

  function* endStep(): Generator<Untimed> {
    if (isStepOpen) yield { type: 'STEP_FINISHED', stepName: `step ${steps}` };
    isStepOpen = false;
  }

  function* finish(
    ending: Untimed<Extract<AGUIEvent, { readonly type: 'RUN_ERROR' | 'RUN_FINISHED' }>>,
  ): Generator<Untimed> {
    yield* replies.closeAll();
    yield* endStep();
    run = undefined;
    yield { ...ending, ...(usages.length > 0 && { usage: usages.splice(0) }) };
  }

  function* endRun({ outcome, error, limit }: Pick<Ended, 'outcome' | 'error' | 'limit'>): Generator<Untimed> {
    if (run === undefined) return;
    if (outcome === 'failed' || outcome === 'interrupted')
      yield* finish({
        type: 'RUN_ERROR',
        message: error?.message ?? 'The run was interrupted. Send the message again.',
        code: error?.code ?? 'STREAM_INTERRUPTED',
      });
    else
      yield* finish({
        type: 'RUN_FINISHED',
        threadId,
        runId: run,
        outcome: { type: outcome === 'cancelled' ? 'cancelled' : 'success' },
        ...(limit && { result: { limit } }),
      });
  }

  /** Finishes the AG-UI run where the session's run waits for a person and nothing else is under way. */
  function* interrupt(): Generator<Untimed> {
    const state = getState();
    if (run === undefined || statusOf(state) !== 'waiting' || openRun(state)?.id !== sessionRun) return;
    // A call that the front end runs is open in its conversation, and no interrupt.
    const asked = callsAwaitingApproval(state).filter((call) => !isFrontEndCall(call));
    const interrupts = asked.map((call) => toInterrupt(call, state));
    const outcome: AGUIOutcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' };
    yield* finish({ type: 'RUN_FINISHED', threadId, runId: run, outcome });
  }

  function* emitResult(toolCallId: string): Generator<Untimed> {
    const call = findCall(getState(), toolCallId)?.call;
    if (!call) return;
    yield* replies.endCall(toolCallId);
    const content = resultText(call);
    yield { type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}-result`, toolCallId, role: 'tool', content };
  }

  /** The first delta of a call has the name; a subscriber in the middle of a run may have missed it. */
  function nameOf({ callId, name }: CallDelta): string {
    return name ?? (replies.isGrowing(callId) ? '' : (findCall(getState(), callId)?.call.name ?? ''));
  }

  function* toEvents(event: SessionEvent): Generator<Untimed> {
    if (event.type === 'run.started') {
      yield* endRun({ outcome: 'interrupted' });
      yield* start(event.runId, event.resumes);
    } else if (event.type === 'approval.decided' && run === undefined) {
      const open = openRun(getState());
      if (open) yield* start(open.id);
    } else if (event.type === 'run.ended' && run === undefined && event.runId === sessionRun) {
      // The run was cancelled while it waited.
      yield* start(event.runId);
    }
    if (run === undefined) return;
    switch (event.type) {
      case 'metadata.changed':
        yield* share(event.metadata);
        break;
      case 'reply.started':
        yield* startStep();
        replies.begin(event.messageId);
        break;
      case 'text.delta':
      case 'reasoning.delta':
        yield* replies.grow(event.type, event.text);
        break;
      case 'call.delta':
        yield* replies.growCall(event.callId, nameOf(event), event.text);
        break;
      case 'call.requested': {
        const { callId, name, inputText } = event;
        yield* replies.growCall(callId, name, replies.isGrowing(callId) ? '' : inputText);
        yield* replies.endCall(callId);
        break;
      }
      case 'part.added':
        yield { type: 'CUSTOM', name: 'brooklet.part', value: toValue(event.part) };
        break;
      case 'reply.ended':
        yield* replies.close();
        if (event.usage) usages.push(toTokenUsage(event.usage, event.model));
        break;
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
    // A delta changes no status, and the state is not reduced for each of them.
    if (!isDelta(event)) yield* interrupt();
  }

  return {
    *begin() {
      const state = getState();
      const running = openRun(state);
      if (running === undefined) return;
      const stamp = (one: Untimed): AGUIEvent => ({ ...one, timestamp: state.updatedAt });
      for (const one of start(running.id)) yield stamp(one);
      replies.begin(running.openReply ?? '', true);
      yield stamp({ type: 'MESSAGES_SNAPSHOT', messages: toAGUIMessages(state.messages) });
      for (const one of interrupt()) yield stamp(one);
    },
    *encode(event) {
      for (const one of toEvents(event)) yield { ...one, timestamp: event.at };
    },
  };
}

function toValue(part: object): Json {
  return { ...part };
}
