import { fromErrorInfo } from '../../core/error.ts';
import { freeze } from '../../core/freeze.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import { openRun } from '../../core/model/state.ts';
import { openCalls, statusOf } from '../../core/model/status.ts';
import { createAgentUnderTest } from './agent-under-test.ts';
import { describeRefusal, describeStandstill } from './describe.ts';
import { factOf } from './event-content.ts';
import { type Recorded, toFacts } from './facts.ts';
import type { EarlyMessage } from './late-messages.ts';
import type { Replayed, ReplayOptions } from './options.ts';
import { createPages } from './pages.ts';
import { settle, waitUntil } from './patience.ts';
import { createRecordedAnswers } from './recorded-answers.ts';
import { createRecording } from './recording.ts';
import type { OpenCompaction } from './stand-in-context.ts';
import { doAgain } from './verbs.ts';
import { createVirtualPorts } from './virtual-ports.ts';

/** A log that is being replayed. */
export interface Replay {
  /** Rejects with the first difference. */
  play(): Promise<Replayed>;
  /** Returns the message that was admitted where the log continues without it, if that is the first difference. */
  getEarly(): EarlyMessage | undefined;
}

/** The events that a model sends. */
const pieces: ReadonlySet<string> = new Set<SessionEvent['type']>([
  'text.delta',
  'reasoning.delta',
  'call.delta',
  'call.requested',
  'part.added',
  'reply.ended',
]);

export function createReplay(events: readonly SessionEvent[], options: ReplayOptions): Replay {
  const recording = createRecording(events);
  const ports = createVirtualPorts(recording);
  const answers = createRecordedAnswers(recording);
  const client = options.client ?? answers.client;
  const running = new Map<string, () => void>();
  let compaction: OpenCompaction | undefined;

  const pages = createPages(recording, sessionIdOf(events), ({ getState, peek, report, requests }) =>
    createAgentUnderTest({
      options,
      recording,
      facts: toFacts(events),
      client,
      ports,
      running,
      getState,
      peek,
      noteCompaction(open) {
        compaction = open;
        return () => {
          if (compaction === open) compaction = undefined;
        };
      },
      noteRequest: (request) => requests.push(request),
      report,
    }),
  );
  const { getStage, getState, peek, getFailure, isAhead, offer, report, requests } = pages;

  function reopen(openedAt?: number): void {
    running.clear();
    compaction = undefined;
    pages.reopen(openedAt);
  }

  /** Lets the session repeat an event. Returns `undefined` where nothing has to be awaited for it. */
  function step(event: SessionEvent): Promise<void> | undefined {
    const before = pages.countRepeated();
    if (isAhead()) reopen();
    if (!isConcurrent(event)) answers.getOpen()?.finish();
    if (isRepeated(before)) return undefined;
    const answer = answers.getOpen();
    if (answer === undefined || !pieces.has(event.type)) return lead(event, before);
    answer.send(event);
    return isRepeated(before) ? undefined : awaitRepeated(event, before);
  }

  const isStarted = (callId: string): boolean =>
    openCalls(peek()).some((call) => call.callId === callId && call.status === 'started');

  /** Whether the session has repeated more than so many events, or differs from the log. */
  function isRepeated(before: number): boolean {
    return pages.countRepeated() > before || getFailure() !== undefined;
  }

  async function awaitRepeated(event: SessionEvent, before: number): Promise<void> {
    await waitUntil(() => isRepeated(before), isWorking);
    if (!isRepeated(before)) report(describeStandstill({ recorded: event, step: requests.length }, statusOf(peek())));
  }

  /**
   * Does what leads to an event: what a person did, what the model or a tool answered; or waits for the agent.
   *
   * @param before number of events that the session had repeated before
   */
  async function lead(event: SessionEvent, before: number): Promise<void> {
    const isDone = (): boolean => isRepeated(before);
    const wait = (isReached: () => boolean): Promise<void> => waitUntil(() => isReached() || isDone(), isWorking);
    const act = (): void => {
      const refuse = (thrown: unknown): void => {
        if (!isDone()) report(describeRefusal({ recorded: event, step: requests.length }, thrown));
      };
      try {
        doAgain(event, getStage(), { recording, client, offer })?.catch(refuse);
      } catch (thrown) {
        refuse(thrown);
      }
    };

    if (pieces.has(event.type)) {
      await wait(() => answers.getOpen() !== undefined);
      answers.getOpen()?.send(event);
      return awaitRepeated(event, before);
    }
    switch (event.type) {
      case 'reply.refused':
        await wait(() => answers.getOpen() !== undefined);
        answers.getOpen()?.fail(fromErrorInfo(event.error));
        break;
      case 'approval.requested':
        // The tool asks in the midst of its work.
        if (!isStarted(event.callId)) break;
        await wait(() => running.has(event.callId));
        if (!isDone()) running.get(event.callId)?.();
        break;
      case 'call.ended':
        await wait(() => running.has(event.callId));
        if (!isDone()) running.get(event.callId)?.();
        if (event.outcome === 'timed-out') ports.fireDue();
        break;
      case 'context.compacted':
      case 'context.compaction-failed':
        await wait(() => compaction !== undefined);
        if (!isDone()) compaction?.end(event);
        break;
      case 'approval.decided':
        if (event.decidedBy === 'user') act();
        else if (event.decidedBy === 'timeout') expire();
        break;
      case 'run.started':
        await settle(isDone);
        if (!isDone() && openRun(peek())) reopen();
        if (!isDone()) act();
        break;
      case 'run.ended':
        await endRun(event, isDone);
        break;
      case 'message.added':
        if (peek().queue.some(({ message }) => message.id === event.message.id)) await settle(isDone);
        if (!isDone()) act();
        break;
      case 'instructions.changed':
      case 'tools.changed':
        // The page that stored it is gone.
        if (getStage().runs.current() === undefined) getStage().log.append(factOf(event));
        break;
      case 'reply.started':
      case 'call.started':
        break;
      default:
        act();
    }
    await awaitRepeated(event, before);
  }

  /** Lets the time of a call pass. A call that expired while no page was open, so that no other call ran, also interrupts its run. */
  function expire(): void {
    const after = recording.afterNext();
    const interrupts = after?.type === 'run.ended' && after.outcome === 'interrupted';
    if (interrupts && statusOf(peek()) !== 'running') reopen(recording.now());
    ports.fireDue();
    getStage().runs.advance();
  }

  async function endRun(event: Recorded<'run.ended'>, isDone: () => boolean): Promise<void> {
    const { outcome, error, runId } = event;
    // Another tab has ended an earlier run: without effect.
    if (openRun(peek())?.id !== runId) return void getStage().log.append(factOf(event));
    if (outcome === 'completed' || outcome === 'limit') return;
    const isAnswering = !isAhead() && openRun(peek())?.openReply !== undefined;
    if (error && isAnswering) await waitUntil(() => answers.getOpen() !== undefined || isDone(), isWorking);
    else await settle(() => isDone() || isAhead());
    if (isDone()) return;
    if (isAhead()) reopen();
    const { session, runs } = getStage();
    if (error) {
      if (answers.getOpen()) answers.getOpen()?.fail(fromErrorInfo(error));
      else if (compaction) compaction.end(event);
      else (runs.current() ?? runs.drive(runId)).fail(fromErrorInfo(error));
    } else if (outcome === 'cancelled') {
      if (runs.current() === undefined) runs.drive(runId);
      session.cancel();
    } else {
      reopen();
      getStage().runs.advance('orphaned');
      if (!isDone()) getStage().runs.drive(runId).end(outcome);
    }
  }

  function getNext(): SessionEvent | undefined {
    return getFailure() ? undefined : (recording.late() ?? recording.next());
  }

  /** Whether something runs that takes real time: a tool, or a client. */
  function isWorking(): boolean {
    const state = peek();
    const runsTools = options.tools !== undefined && options.toolResults !== 'recorded';
    return (
      (runsTools && openCalls(state).some(({ status }) => status === 'started')) ||
      (options.client !== undefined && statusOf(state) === 'running')
    );
  }

  return {
    getEarly: pages.getEarly,
    async play() {
      for (let event = events[0]; event !== undefined; event = getNext()) {
        const stepping = step(event);
        if (stepping) await stepping;
      }
      await settle(() => getFailure() !== undefined);
      const state = freeze(getState());
      getStage().session.unload(false);
      const failure = getFailure();
      if (failure) throw failure;
      return { state, requests };
    },
  };
}

function sessionIdOf([first]: readonly SessionEvent[]): string {
  return first?.type === 'session.started' ? first.sessionId : '';
}
