import { fail } from '../../core/error.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { LLMRequest } from '../../core/model/llm.ts';
import { fold } from '../../core/model/fold.ts';
import { initialState, type RecentState, type SessionState } from '../../core/model/state.ts';
import { statusOf } from '../../core/model/status.ts';
import type { AgentUnderTest } from './agent-under-test.ts';
import { describeMismatch } from './describe.ts';
import { isCutOff } from './is-cut-off.ts';
import { isInput } from './is-input.ts';
import type { EarlyMessage } from './late-messages.ts';
import type { Recording } from './recording.ts';
import type { ReplayError } from './replay-error.ts';
import { openStage, type Stage } from './stage.ts';

/** The pages that have the session open, one after the other, and what they have repeated of the log. */
export interface Pages {
  /** The session in the present page. */
  readonly getStage: () => Stage;
  readonly getState: () => SessionState;
  /** Returns the same state, or its recent part: see `Log.peek`. */
  readonly peek: () => SessionState | RecentState;
  /** Number of events that have been repeated. */
  readonly countRepeated: () => number;
  /** Whether the page has done more than the log has: what a page did last is lost when another page ends its run. */
  readonly isAhead: () => boolean;
  /**
   * Another page opens the session, after a crash or a reload, as far as it has been repeated.
   *
   * @param openedAt the time of that page then. Default: before every deadline. The log has the times of several pages, whose clocks differ.
   */
  readonly reopen: (openedAt?: number) => void;
  /** Notes the first difference. */
  readonly report: (error: ReplayError) => void;
  readonly getFailure: () => ReplayError | undefined;
  /** Returns the message that was admitted where the log continues without it, if that is the first difference. */
  readonly getEarly: () => EarlyMessage | undefined;
  /** Lets the session have these tools beside those of its next request. */
  readonly offer: AgentUnderTest['offer'];
  readonly requests: LLMRequest[];
}

/** @param createAgent returns the agent whose session the pages have; called once */
export function createPages(
  recording: Recording,
  sessionId: string,
  createAgent: (pages: Pick<Pages, 'getState' | 'peek' | 'report' | 'requests'>) => AgentUnderTest,
): Pages {
  const requests: LLMRequest[] = [];
  let failure: ReplayError | undefined;
  let early: EarlyMessage | undefined;
  let repeated = 0;
  let isAhead = false;
  /** Number of pages so far: the last one is open. */
  let pages = 0;
  /** Whether the log ends while the session runs: what the session would do next is not recorded. */
  let endsOpen = false;
  const { env, offer, noteEvent } = createAgent({ getState, peek, report, requests });
  /** The state in which the present page was opened, and the events that it has repeated since. */
  let opened = initialState(sessionId);
  let since: SessionEvent[] = [];
  let stage = open();

  function getState(): SessionState {
    return isAhead ? lastRepeated() : stage.log.getState();
  }

  function peek(): SessionState | RecentState {
    return isAhead ? lastRepeated() : stage.log.peek();
  }

  /** Returns the state after the last event that has been repeated. */
  function lastRepeated(): SessionState {
    opened = fold(since, opened);
    since = [];
    return opened;
  }

  function open(openedAt = 0): Stage {
    const page = ++pages;
    let isOpen = false;
    const next = openStage(lastRepeated(), {
      ...env,
      ports: { ...env.ports, now: () => (isOpen ? env.ports.now() : openedAt) },
      record: (event) => (page === pages ? record(event) : undefined),
      // A page that is gone asks the model nothing more, also where a promise of that page resolves later.
      toRequest: (...args) => (page === pages ? env.toRequest(...args) : fail('SESSION_REMOVED', 'The page is gone.')),
      whenStored: async () => recording.until((event) => event === recording.next() && !isInput(event, peek())),
    });
    isOpen = true;
    return next;
  }

  function report(error: ReplayError): void {
    failure ??= error;
  }

  function record(event: SessionEvent): void {
    noteEvent(event);
    if (failure || isAhead || endsOpen) return;
    if (recording.accept(event)) {
      repeated++;
      since.push(event);
      if (recording.next() === undefined) endsOpen = statusOf(peek()) === 'running';
    } else if (recording.next() !== undefined && isCutOff(recording)) isAhead = true;
    else {
      const recorded = recording.next();
      if (event.type === 'message.added' && lastRepeated().queue.some(({ message }) => message.id === event.message.id))
        early = { messageId: event.message.id, before: recorded?.seq };
      report(describeMismatch({ recorded, step: requests.length }, event));
    }
  }

  return {
    requests,
    offer,
    getStage: () => stage,
    getState,
    peek,
    countRepeated: () => repeated,
    isAhead: () => isAhead,
    reopen(openedAt) {
      stage.session.unload(false);
      isAhead = false;
      recording.takeBackIds();
      noteEvent(undefined);
      stage = open(openedAt);
    },
    report,
    getFailure: () => failure,
    getEarly: () => early,
  };
}
