import { Observable } from 'rxjs';
import { fromErrorInfo } from '../../core/error.ts';
import { defined } from '../../core/json.ts';
import { estimatedCaps } from '../../core/context/cap.ts';
import type { RunContext } from '../../core/context/run-context.ts';
import { createZoning, joinZones } from '../../core/context/zones.ts';
import type { EventBody, SessionEvent } from '../../core/model/event.ts';
import type { Message } from '../../core/model/message.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { SessionState } from '../../core/model/state.ts';
import type { Recorded } from './facts.ts';
import { factOf, isCompaction } from './event-content.ts';
import { isInput } from './is-input.ts';
import type { Recording } from './recording.ts';

/** A compaction that is under way. */
export interface OpenCompaction {
  /** Ends the compaction as the log says. */
  readonly end: (event: SessionEvent) => void;
}

export interface ContextStandInEnv {
  readonly recording: Recording;
  /** Returns the next recorded reply, if the next step of the log is a request. */
  readonly nextReply: () => Recorded<'reply.started'> | undefined;
  /** Returns the instructions and presets of the next request. */
  readonly immutable: () => readonly Message[];
  readonly maxMessages: () => number | undefined;
  /** Called when a compaction waits for its recorded result. Returns a function to call when the compaction ends or is cancelled. */
  readonly noteCompaction: (open: OpenCompaction) => () => void;
}

/** Returns a context that compacts what and when the log says: the log does not contain the options of the context. */
export function createStandInContext(env: ContextStandInEnv): RunContext {
  const { recording, nextReply, immutable, maxMessages, noteCompaction } = env;
  return {
    shouldCompact: (state) => isNextCompaction(recording, state),
    get mayRetry() {
      return mayRetry(recording);
    },
    assemble(state) {
      const { context, request } = nextReply() ?? {};
      if (context === undefined) return undefined;
      const { toolOutput, pinned } = request ?? {};
      const zoning = createZoning({
        immutable: immutable(),
        caps: estimatedCaps(toolOutput ?? Infinity),
        maxMessages: maxMessages(),
      });
      const messages = joinZones(zoning.zones(state, { pinned: new Set(pinned) }));
      return { messages, context, ...defined({ toolOutput, pinned }) };
    },
    compact: () =>
      new Observable<EventBody>((subscriber) =>
        noteCompaction({
          end(event) {
            if (isCompaction(event)) subscriber.next(factOf(event));
            const after = recording.upcoming();
            if (after?.type === 'run.ended' && after.error) subscriber.error(fromErrorInfo(after.error));
            else subscriber.complete();
          },
        }),
      ),
  };
}

/**
 * Whether the next step of the log is a compaction. Messages that were written meanwhile are in the log before its result. Where the log has no
 * result, the compaction is all that a run can be at work on without an event.
 */
function isNextCompaction(recording: Recording, state: SessionState): boolean {
  let isWritten = false;
  for (const event of recording.ahead()) {
    if (isConcurrent(event)) continue;
    if (!isInput(event, state))
      return isCompaction(event) || (isWritten && event.type === 'run.ended' && event.outcome !== 'completed');
    isWritten = true;
  }
  return false;
}

/** Whether the next run, or the open one, repeats a request that was refused as too long. */
function mayRetry(recording: Recording): boolean {
  for (const { type } of recording.ahead()) {
    if (type === 'reply.refused') return true;
    if (type === 'run.ended') return false;
  }
  return false;
}
