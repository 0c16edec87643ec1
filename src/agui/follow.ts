import type { Subscriber } from 'rxjs';
import type { SessionEvent } from '../core/model/event.ts';
import { openRun } from '../core/model/state.ts';
import type { AgentSession } from '../core/session/session.ts';
import { joinRun, writeEvent } from './encode.ts';
import { beginWriting, type WritingStep } from './encode-run.ts';
import type { AGUIEvent } from './event.ts';
import { toAGUIMessages } from './messages.ts';

interface FollowOptions {
  /** Whether a snapshot of the conversation comes first. */
  readonly isFull?: boolean;
  /** The calls, by id, whose results are not emitted. */
  readonly without?: ReadonlyMap<string, unknown>;
}

/** Emits the events of the session from now on, after those that are held back. */
export type Follow = (options?: FollowOptions) => void;

/** Holds the events of the session back until the returned function is called. */
export function followed(
  session: AgentSession,
  { threadId, runId }: { readonly threadId: string; readonly runId: string },
  subscriber: Subscriber<AGUIEvent>,
  emit: (event: AGUIEvent) => void,
): Follow {
  let writing = beginWriting(threadId, () => runId);
  let held: SessionEvent[] | undefined = [];
  let without: FollowOptions['without'];
  const take = ([next, events]: WritingStep<AGUIEvent>): void => {
    writing = next;
    for (const one of events) {
      // What follows the end belongs to another run.
      if (subscriber.closed) return;
      if (one.type !== 'TOOL_CALL_RESULT' || !without?.has(one.toolCallId)) emit(one);
    }
  };
  const encode = (event: SessionEvent): void => take(writeEvent(writing, event, session.getState));
  subscriber.add(session.events$.subscribe((event) => (held ? held.push(event) : encode(event))));
  return (options = {}) => {
    ({ without } = options);
    if (options.isFull) {
      if (openRun(session.getState())) take(joinRun(writing, session.getState()));
      else for (const one of snapshotOf(session, runId)) emit(one);
    }
    const events = held ?? [];
    held = undefined;
    events.forEach(encode);
  };
}

/** Returns a run that has only the conversation. */
function* snapshotOf(session: AgentSession, runId: string): Generator<AGUIEvent> {
  const { id: threadId, updatedAt: timestamp, metadata, messages } = session.getState();
  yield { type: 'RUN_STARTED', threadId, runId, timestamp };
  if (metadata) yield { type: 'STATE_SNAPSHOT', snapshot: metadata, timestamp };
  yield { type: 'MESSAGES_SNAPSHOT', messages: toAGUIMessages(messages), timestamp };
  yield { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success' }, timestamp };
}
