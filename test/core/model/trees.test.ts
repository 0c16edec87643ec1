import { type EventBody, next, type Policy, type SessionState, type Stop } from 'brooklet/core';
import { expect, test } from 'vitest';
import { childrenOf } from '../../../src/core/model/children.ts';
import { path } from '../../../src/core/model/shapes/path-shape.ts';
import { answering, foldBodies, stamp } from '../../support/events.ts';

const asks = (callId: string): EventBody => ({
  type: 'call.requested',
  callId,
  name: 'research',
  inputText: '{}',
  input: {},
});
const approved = (callId: string): EventBody => ({
  type: 'approval.decided',
  callId,
  verdict: 'approved',
  decidedBy: 'policy',
});
const starts = (callId: string, session?: string): EventBody => ({
  type: 'call.started',
  callId,
  attempt: 1,
  ...(session !== undefined && { session }),
});
const replyEnds: EventBody = { type: 'reply.ended', finish: 'tool-calls' };
const endsAs = (outcome: 'limit' | 'cancelled', account?: string): EventBody => ({
  type: 'run.ended',
  runId: 'r',
  outcome,
  ...(account !== undefined && { account, limit: 'money' }),
});

const two: readonly EventBody[] = [
  ...answering,
  asks('a'),
  asks('b'),
  replyEnds,
  approved('a'),
  approved('b'),
  starts('a', 's/a'),
  starts('b'),
];
const statuses = ({ messages }: SessionState): readonly unknown[] =>
  messages.flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool' ? part.status : [])));

test('a session keeps its path, and the ids of the sessions that its calls have started, each once', () => {
  const path = [{ sessionId: 'root', callId: 'c' }];
  expect(foldBodies({ type: 'session.started', sessionId: 's', path }).path).toEqual(path);
  const state = foldBodies(...two, starts('a', 's/a'), { type: 'session.cleared' });
  expect(state.children).toEqual(['s/a']);
});

test('a second attempt at a call has the same session', () => {
  const again: readonly EventBody[] = [
    ...two,
    { type: 'run.ended', runId: 'r', outcome: 'interrupted' },
    { type: 'run.started', runId: 'r2', resumes: 'r' },
    { type: 'call.started', callId: 'a', attempt: 2, session: 's/a' },
  ];
  expect(foldBodies(...again).children).toEqual(['s/a']);
});

test('at the limit of a run, calls with a session can be continued, and no other call', () => {
  const state = foldBodies(...two, endsAs('limit', 'root'));
  expect(statuses(state)).toEqual(['uncertain', 'cancelled']);
  expect(state.run).toMatchObject({ outcome: 'limit', limit: 'money', account: 'root' });
  expect(statuses(foldBodies(...two, endsAs('cancelled')))).toEqual(['cancelled', 'cancelled']);
});

test('a run has what its replies, its ended calls and its cut reply have cost', () => {
  const spent = { tokens: 7, steps: 2, money: 3 };
  const ended: EventBody = { type: 'call.ended', callId: 'a', outcome: 'succeeded', spent, decidedAt: 9_000_000 };
  const state = foldBodies(...two, ended, { ...ended, callId: 'b' }, ended);
  expect(state.run).toMatchObject({ children: { tokens: 14, steps: 4, money: 6 }, since: 9_000_000 });

  const start = answering.slice(0, -1);
  const reply: EventBody = { type: 'reply.started', messageId: 'm', reserved: 5 };
  const usage = { input: 1, output: 1 };
  const run = (...events: readonly EventBody[]): SessionState['run'] => foldBodies(...start, reply, ...events).run;
  expect(run()).toMatchObject({ reserved: 5 });
  expect(run({ ...replyEnds, usage, cost: 2 })).toMatchObject({ cost: 2 });
  expect(run({ ...replyEnds, usage, cost: 2 })?.reserved).toBeUndefined();
  expect(run(replyEnds)).toMatchObject({ cost: 5 });
  expect(run(endsAs('cancelled'))).toMatchObject({ cost: 5 });
  const refused: EventBody = {
    type: 'reply.refused',
    error: { type: 'LLM_SERVICE', code: 'CONTEXT_OVERFLOW', message: '', retryable: false },
  };
  expect(run(refused)?.cost).toBeUndefined();
  expect(run(refused)?.reserved).toBeUndefined();
  const resumed = run({ ...replyEnds, cost: 2 }, endsAs('cancelled'), {
    type: 'run.started',
    runId: 'r2',
    resumes: 'r',
  });
  expect(resumed).toMatchObject({ cost: 2 });
  const renewed = run({ ...replyEnds, cost: 2 }, endsAs('limit'), { type: 'run.started', runId: 'r2', resumes: 'r' });
  expect(renewed?.cost).toBeUndefined();
});

test('what a call has spent after the end of its run changes nothing', () => {
  const spent = { tokens: 7, steps: 2, money: 3 };
  const late = foldBodies(...two, endsAs('cancelled'), {
    type: 'call.ended',
    callId: 'a',
    outcome: 'succeeded',
    spent,
  });
  expect(late.run?.children).toBeUndefined();
});

test('a run ends when the sessions of all its open calls have stopped, by a limit before an interruption', () => {
  const limit: Stop = { outcome: 'limit', limit: 'money', account: 'root' };
  const cut: Stop = { outcome: 'interrupted' };
  const state = foldBodies(...two);
  const step = (...stops: readonly (readonly [string, Stop])[]): unknown =>
    next(state, { maxSteps: 3, stopped: new Map(stops) });
  expect(step()).toEqual({ do: 'wait' });
  expect(step(['a', cut])).toEqual({ do: 'wait' });
  expect(step(['a', cut], ['b', cut])).toEqual({ do: 'end', ...cut });
  expect(step(['a', cut], ['b', limit])).toEqual({ do: 'end', ...limit });
  const held: Policy = {
    maxSteps: 3,
    stopped: new Map([
      ['a', cut],
      ['b', cut],
    ]),
    isHeld: () => true,
  };
  expect(next(state, held)).toEqual({ do: 'wait' });
});

test('a request waits for what others have reserved, and ends the run where an account refuses it', () => {
  const state = foldBodies(...answering.slice(0, -1));
  expect(next(state, { maxSteps: 3, account: () => 'wait' })).toEqual({ do: 'wait' });
  expect(next(state, { maxSteps: 3, account: () => undefined })).toEqual({ do: 'ask' });
  const refusal = { limit: 'money', account: 'root' } as const;
  expect(next(state, { maxSteps: 3, account: () => refusal })).toEqual({ do: 'end', outcome: 'limit', ...refusal });
});

test('of the calls of a tool no more run at the same time than its trait allows', () => {
  const events = [...answering, asks('a'), asks('b'), replyEnds, approved('a'), approved('b'), starts('a', 's/a')];
  const step = (concurrency: number): unknown =>
    next(foldBodies(...events), { maxSteps: 3, tools: new Map([['research', { concurrency }]]) });
  expect(step(1)).toEqual({ do: 'wait' });
  expect(step(2)).toMatchObject({ do: 'execute', call: { callId: 'b' } });
});

test('the children of a log are the sessions of its calls, each once; a call without a session has none', () => {
  expect(childrenOf(stamp([starts('a', 's/a'), starts('b'), starts('a', 's/a')]))).toEqual(['s/a']);
});

test.each<[string, unknown, string | undefined]>([
  ['one call', [{ sessionId: 's', callId: 'c' }], undefined],
  ['32 calls', Array.from({ length: 32 }, () => ({ sessionId: 's', callId: 'c' })), undefined],
  ['33 calls', Array.from({ length: 33 }, () => ({ sessionId: 's', callId: 'c' })), 'path'],
  ['no call', [], 'path'],
  ['no list', { sessionId: 's', callId: 'c' }, 'path'],
  ['a call without a session', [{ callId: 'c' }], 'path.0.sessionId'],
])('a path of a file has 1 to 32 calls: %s', (_what, value, field) => {
  expect(path(value, 'path')?.field).toBe(field);
});
