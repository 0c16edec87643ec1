import { type SessionEvent, toolParts } from 'brooklet';
import {
  type EventBody,
  evolve,
  initialState,
  isEnded,
  next,
  recover,
  type SessionState,
  statusOf,
} from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toImmutable } from '../../../src/core/context/immutable.ts';
import { toRequestMessages } from '../../../src/core/context/visible-messages.ts';
import { answering, eventLogs, foldBodies, foldOn, patient, stamp, userMessage } from '../../support/events.ts';
import { problemsOnTheWire } from '../../support/wire.ts';
import { seeded } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';

const runs = seeded(500);

/** The session after each event, and the same session after a new owner has recovered it. */
function* foundAfterEach(
  log: readonly SessionEvent[],
): Generator<{ readonly found: SessionState; readonly state: SessionState }> {
  let found = initialState('s');
  for (const event of log) {
    found = evolve(found, event);
    yield { found, state: goOn(found, recover(found)) };
  }
}

/** Like `foldOn`, without freezing, because there are many states. */
function goOn(state: SessionState, bodies: readonly EventBody[]): SessionState {
  return stamp(bodies, state.seq).reduce(evolve, state);
}

const asks = (callId: string): EventBody => ({
  type: 'call.requested',
  callId,
  name: 'add',
  inputText: '{}',
  input: {},
});
const replyEnds: EventBody = { type: 'reply.ended', finish: 'tool-calls' };
const interrupted: readonly EventBody[] = [{ type: 'run.ended', runId: 'r', outcome: 'interrupted' }];

describe('a session whose owner has vanished', patient, () => {
  test.each<[string, readonly EventBody[]]>([
    ['before anything was asked', answering.slice(0, 2)],
    ['before the first word came', answering],
    ['while text streamed', [...answering, { type: 'text.delta', text: 'Half' }]],
    ['before the calls were checked', [...answering, asks('1'), replyEnds]],
    [
      'while a tool ran',
      [
        ...answering,
        asks('1'),
        replyEnds,
        { type: 'approval.decided', callId: '1', verdict: 'approved', decidedBy: 'policy' },
        { type: 'call.started', callId: '1', attempt: 1 },
      ],
    ],
  ])('%s is interrupted', (_when, bodies) => {
    const state = foldBodies(...bodies);
    expect(recover(state)).toEqual(interrupted);
    expect(statusOf(foldOn(state, ...recover(state)))).toBe('interrupted');
  });

  test.each<[string, readonly EventBody[]]>([
    ['before it ran at all', answering.slice(0, 1)],
    ['while it waited for a person', [...answering, asks('1'), replyEnds, { type: 'approval.requested', callId: '1' }]],
    ['after its run was done', [...answering, replyEnds, { type: 'run.ended', runId: 'r', outcome: 'completed' }]],
    ['after its run had failed', [...answering, { type: 'run.ended', runId: 'r', outcome: 'failed' }]],
  ])('%s is left unchanged', (_when, bodies) => {
    expect(recover(foldBodies(...bodies))).toEqual([]);
  });

  test('leaves a call that awaits approval to be decided, even if another call was running', () => {
    const state = foldBodies(
      ...answering,
      asks('awaiting-approval'),
      asks('run'),
      replyEnds,
      { type: 'approval.requested', callId: 'awaiting-approval' },
      { type: 'approval.decided', callId: 'run', verdict: 'approved', decidedBy: 'policy' },
      { type: 'call.started', callId: 'run', attempt: 1 },
    );
    const found = foldOn(state, ...recover(state));
    expect(found.messages.flatMap(toolParts).map(({ status }) => status)).toEqual(['awaiting-approval', 'uncertain']);
    const decided = foldOn(found, {
      type: 'approval.decided',
      callId: 'awaiting-approval',
      verdict: 'approved',
      decidedBy: 'user',
    });
    expect(next(foldOn(decided, { type: 'run.started', runId: 'r2', resumes: 'r' }), { maxSteps: 10 })).toMatchObject({
      do: 'execute',
      call: { callId: 'awaiting-approval' },
    });
  });

  test('has nothing running, wherever its log was cut, and nothing more to recover', () => {
    assertMeeting(
      { 'a cut within a run': 100 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          for (const { found, state } of foundAfterEach(log)) {
            if (statusOf(found) === 'running') met('a cut within a run');
            const rests = statusOf(state) !== 'running' && recover(state).length === 0;
            if (!rests || state.messages.some(({ status }) => status === 'streaming'))
              expect({ found, state }).toBe('at rest');
          }
        }),
      runs,
    );
  });

  test('has lost no content, wherever its log was cut', () => {
    const said = ({ messages }: SessionState): string =>
      messages.map(({ id, content }) => (content.length > 0 ? `${id}:${content.length} ` : '')).join('');
    assertMeeting(
      { 'a cut within a reply with content': 100 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          for (const { found, state } of foundAfterEach(log)) {
            if (found.messages.some(({ status, content }) => status === 'streaming' && content.length > 0))
              met('a cut within a reply with content');
            // The replacement of an old answer by a started new one stays.
            if (found.replaced.length === 0 && said(found) !== said(state)) expect(state).toEqual(found);
          }
        }),
      runs,
    );
  });

  test('never runs a running call again', () => {
    assertMeeting(
      { 'a cut within a running call': 20 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          for (const { found, state } of foundAfterEach(log)) {
            const begun = found.messages.flatMap(toolParts).filter(({ startedAt }) => startedAt !== undefined);
            if (begun.some(({ status }) => !isEnded(status))) met('a cut within a running call');
            const open = state.messages
              .flatMap(toolParts)
              .filter(({ callId, status }) => !isEnded(status) && begun.some((call) => call.callId === callId));
            if (open.length > 0) expect(open).toEqual([]);
          }
        }),
      runs,
    );
  });
});

describe('the request after a cut at any event', patient, () => {
  test('is valid when another message is sent', () => {
    assertMeeting(
      { 'a request with calls': 100 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          for (const { state } of foundAfterEach(log)) {
            const free: EventBody[] = state.run
              ? [{ type: 'run.ended', runId: state.run.id, outcome: 'cancelled' }]
              : [];
            const asked = goOn(state, [
              ...free,
              { type: 'run.started', runId: 'new' },
              { type: 'message.added', message: userMessage('new') },
              // The message that was to steer the former run is admitted too.
              ...state.queue
                .filter(({ mode }) => mode === 'steer')
                .map(({ message }): EventBody => ({ type: 'message.added', message })),
            ]);
            const step = next(asked, { maxSteps: 1 });
            const request = toRequestMessages(asked.messages, { immutable: toImmutable('Be kind.') });
            if (asked.messages.some((message) => toolParts(message).length > 0)) met('a request with calls');
            const problems = problemsOnTheWire(request);
            if (step.do !== 'ask' || problems.length > 0) expect({ step, problems, asked }).toBe('valid');
          }
        }),
      runs,
    );
  });

  test('is valid when the run is resumed', () => {
    assertMeeting(
      { 'a resumed run that asks': 50 },
      (met) =>
        fc.property(eventLogs(), (log) => {
          for (const { state } of foundAfterEach(log)) {
            if (state.run === undefined || state.run.outcome === 'completed') continue;
            const started: EventBody[] =
              statusOf(state) === 'waiting' ? [] : [{ type: 'run.started', runId: 'new', resumes: state.run.id }];
            const asking = upToTheNextQuestion(goOn(state, started));
            const problems = asking ? problemsOnTheWire(toRequestMessages(asking.messages, {})) : [];
            if (asking) met('a resumed run that asks');
            if (problems.length > 0) expect({ problems, asking }).toBe('valid');
          }
        }),
      runs,
    );
  });
});

/** Does what `next` returns, with people and tools that approve everything. */
function upToTheNextQuestion(start: SessionState): SessionState | undefined {
  let state = start;
  for (;;) {
    const step = next(state, { maxSteps: Number.POSITIVE_INFINITY });
    switch (step.do) {
      case 'ask':
        return state;
      case 'start':
      case 'expire':
      case 'recover':
        // Steps between runs: none is asked for here.
        return expect.unreachable();
      case 'compact':
        // There is no context window here.
        return expect.unreachable();
      case 'end':
        return undefined;
      case 'admit':
        state = goOn(state, [{ type: 'message.added', message: step.message }]);
        break;
      case 'decide':
        state = goOn(state, [{ type: 'approval.requested', callId: step.call.callId }]);
        break;
      case 'execute': {
        const { callId } = step.call;
        state = goOn(state, [
          { type: 'call.started', callId, attempt: 1 },
          { type: 'call.ended', callId, outcome: 'succeeded', output: 1 },
        ]);
        break;
      }
      case 'wait': {
        const held = state.messages.flatMap(toolParts).filter(({ status }) => status === 'awaiting-approval');
        // A waiting run awaits a person.
        if (held.length === 0) expect.unreachable();
        state = goOn(
          state,
          held.map(({ callId }) => ({ type: 'approval.decided', callId, verdict: 'approved', decidedBy: 'user' })),
        );
        break;
      }
    }
  }
}
