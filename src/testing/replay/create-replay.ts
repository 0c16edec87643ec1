import { fromErrorInfo } from '../../core/error.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { LLMRequest } from '../../core/model/llm.ts';
import { initialState, openRun, type SessionState } from '../../core/model/state.ts';
import { openCalls, statusOf } from '../../core/model/status.ts';
import { createAgentUnderTest } from './agent-under-test.ts';
import { describeMismatch, describeRefusal, describeStandstill } from './describe.ts';
import { type Recorded, toFacts } from './facts.ts';
import { isCutOff } from './is-cut-off.ts';
import { isInput } from './is-input.ts';
import type { EarlyMessage } from './late-messages.ts';
import type { Replayed, ReplayOptions } from './options.ts';
import { settle, waitUntil } from './patience.ts';
import { createRecordedAnswers } from './recorded-answers.ts';
import { createRecording } from './recording.ts';
import type { ReplayError } from './replay-error.ts';
import { openStage, type Stage } from './stage.ts';
import { bodyOf, type OpenCompaction } from './stand-in-context.ts';
import { doAgain } from './verbs.ts';
import { createVirtualPorts } from './virtual-ports.ts';

/** A log that is being replayed. */
export interface Replay {
  /** Rejects with the first difference. */
  play(): Promise<Replayed>;
  /** Returns the message that was admitted where the log goes on without it, if that is the first difference. */
  getEarly(): EarlyMessage | undefined;
}

export function createReplay(events: readonly SessionEvent[], options: ReplayOptions): Replay {
  const recording = createRecording(events);
  const ports = createVirtualPorts(recording);
  const answers = createRecordedAnswers(recording);
  const client = options.client ?? answers.client;
  const running = new Map<string, () => void>();
  const requests: LLMRequest[] = [];
  let failure: ReplayError | undefined;
  let early: EarlyMessage | undefined;
  let compaction: OpenCompaction | undefined;
  /** Number of events that have been repeated. */
  let repeated = 0;
  /** Whether the log ends while the session runs: what the session would do next is not recorded. */
  let endsOpen = false;
  /** Whether the page has done more than the log has: what a page did last is lost when another page ends its run. */
  let isAhead = false;

  const { env, offer } = createAgentUnderTest({
    options,
    recording,
    facts: toFacts(events),
    client,
    ports,
    running,
    getState,
    noteCompaction: (open) => (compaction = open),
    noteRequest: (request) => requests.push(request),
    report,
  });
  /** The state after the last event that has been repeated. */
  let state = initialState(sessionIdOf(events));
  let stage = open(state);

  function getState(): SessionState {
    return isAhead ? state : stage.log.getState();
  }

  function open(from: SessionState): Stage {
    const whenStored = async (): Promise<void> => recording.until((event) => !isInput(event, getState()));
    return openStage(from, { ...env, record, whenStored });
  }

  function report(error: ReplayError): void {
    failure ??= error;
  }

  function record(event: SessionEvent): void {
    if (failure || isAhead || endsOpen) return;
    if (recording.accept(event)) {
      repeated++;
      state = stage.log.getState();
      if (recording.next() === undefined) endsOpen = statusOf(state) === 'running';
    } else if (recording.next() !== undefined && isCutOff(recording)) isAhead = true;
    else {
      const recorded = recording.next();
      if (event.type === 'message.added' && state.queue.some(({ message }) => message.id === event.message.id))
        early = { messageId: event.message.id, before: recorded?.seq };
      report(describeMismatch({ recorded, step: requests.length }, event));
    }
  }

  /** Another page opens the session, after a crash or a reload. */
  function reopen(): void {
    stage.session.unload(false);
    running.clear();
    isAhead = false;
    recording.takeBackIds();
    stage = open(state);
  }

  /** Does what leads to the next event: what a person did, what the model or a tool answered; or waits for the agent. */
  async function step(event: SessionEvent): Promise<void> {
    const before = repeated;
    const isDone = (): boolean => repeated > before || failure !== undefined;
    const wait = (isReached: () => boolean = isDone): Promise<void> =>
      waitUntil(() => isReached() || isDone(), isWorking);
    const act = (): void => {
      const refuse = (thrown: unknown): void => {
        if (!isDone()) report(describeRefusal({ recorded: event, step: requests.length }, thrown));
      };
      try {
        doAgain(event, stage, { recording, client, offer })?.catch(refuse);
      } catch (thrown) {
        refuse(thrown);
      }
    };

    if (isAhead) reopen();
    if (!isConcurrent(event)) answers.getOpen()?.finish();
    if (isDone()) return;
    switch (event.type) {
      case 'text.delta':
      case 'reasoning.delta':
      case 'call.delta':
      case 'call.requested':
      case 'part.added':
      case 'reply.ended':
        await wait(() => answers.getOpen() !== undefined);
        answers.getOpen()?.send(event);
        break;
      case 'reply.refused':
        await wait(() => answers.getOpen() !== undefined);
        answers.getOpen()?.fail(fromErrorInfo(event.error));
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
        if (!isDone() && openRun(getState())) reopen();
        if (!isDone()) act();
        break;
      case 'run.ended':
        await endRun(event, isDone);
        break;
      case 'message.added':
        if (getState().queue.some(({ message }) => message.id === event.message.id)) await settle(isDone);
        if (!isDone()) act();
        break;
      case 'instructions.changed':
      case 'tools.changed':
        // The page that stored it is gone.
        if (stage.runs.current() === undefined) stage.log.append(bodyOf(event));
        break;
      case 'reply.started':
      case 'approval.requested':
      case 'call.started':
        break;
      default:
        act();
    }
    await wait();
    if (!isDone()) report(describeStandstill({ recorded: event, step: requests.length }, statusOf(getState())));
  }

  /** Lets the time of a call pass. A call that expired while no page was open also interrupts its run. */
  function expire(): void {
    const after = recording.peek(1);
    if (after?.type === 'run.ended' && after.outcome === 'interrupted') reopen();
    ports.fireDue();
    stage.runs.advance();
  }

  async function endRun(event: Recorded<'run.ended'>, isDone: () => boolean): Promise<void> {
    const { outcome, error, runId } = event;
    // Another tab has ended an earlier run: without effect.
    if (openRun(getState())?.id !== runId) return void stage.log.append(bodyOf(event));
    if (outcome === 'completed' || outcome === 'limit') return;
    const isAnswering = !isAhead && openRun(getState())?.openReply !== undefined;
    if (error && isAnswering) await waitUntil(() => answers.getOpen() !== undefined || isDone(), isWorking);
    else await settle(() => isDone() || isAhead);
    if (isDone()) return;
    if (isAhead) reopen();
    const { session, runs } = stage;
    if (error) {
      if (answers.getOpen()) answers.getOpen()?.fail(fromErrorInfo(error));
      else if (compaction) compaction.end(event);
      else (runs.current() ?? runs.drive(runId)).fail(fromErrorInfo(error));
    } else if (outcome === 'cancelled') {
      if (runs.current() === undefined) runs.drive(runId);
      session.cancel();
    } else {
      reopen();
      stage.runs.advance('orphaned');
      if (!isDone()) stage.runs.drive(runId).end(outcome);
    }
  }

  function getNext(): SessionEvent | undefined {
    return failure ? undefined : (recording.late() ?? recording.next());
  }

  /** Whether something runs that takes real time: a tool, or a client. */
  function isWorking(): boolean {
    const state = getState();
    const runsTools = options.tools !== undefined && options.toolResults !== 'recorded';
    return (
      (runsTools && openCalls(state).some(({ status }) => status === 'started')) ||
      (options.client !== undefined && statusOf(state) === 'running')
    );
  }

  return {
    getEarly: () => early,
    async play() {
      for (let event = events[0]; event !== undefined; event = getNext()) await step(event);
      await settle(() => failure !== undefined);
      const state = getState();
      stage.session.unload(false);
      if (failure) throw failure;
      return { state, requests };
    },
  };
}

function sessionIdOf([first]: readonly SessionEvent[]): string {
  return first?.type === 'session.started' ? first.sessionId : '';
}
