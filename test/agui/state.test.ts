import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { createAgent, type Json, type Part } from 'brooklet';
import { createAGUIClient, readAGUIState } from 'brooklet/agui';
import { createMemoryStore } from 'brooklet/storage';
import { afterEach, expect, test } from 'vitest';
import { toJson } from '../../src/core/json.ts';
import { toObject } from '../../src/core/model/read-json.ts';
import { createStateReader } from '../../src/agui/state.ts';
import { startServer, stream, type TestServer } from '../support/llm-server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function remote(...runs: readonly (readonly object[])[]): Promise<string> {
  let next = 0;
  server = await startServer((response) => {
    const ids = { threadId: 't', runId: 'r' };
    const events = [{ type: 'RUN_STARTED', ...ids }, ...(runs[next++] ?? []), { type: 'RUN_FINISHED', ...ids }];
    stream(response, events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    response.end();
  });
  return server.url;
}

const snapshot = (value: Json) => ({ type: 'STATE_SNAPSHOT', snapshot: value });
const delta = (...operations: readonly object[]) => ({ type: 'STATE_DELTA', delta: operations });
const add = (path: string, value: Json) => ({ op: 'add', path, value });

test('the state of the remote agent is in the log, and goes back with the next run, also after a reload', async () => {
  const url = await remote(
    [snapshot({ city: 'Bern', days: [] }), delta(add('/days/-', 'Mon')), delta(add('/days/-', 'Tue'))],
    [delta({ op: 'replace', path: '/city', value: 'Rome' })],
  );
  const store = createMemoryStore();
  const first = createAgent({ client: createAGUIClient({ url }), store });
  const session = await first.openSession(first.createSession());
  await session.send('Plan');
  expect(readAGUIState(session.getMessages())).toEqual({ city: 'Bern', days: ['Mon', 'Tue'] });
  await first.dispose();

  const later = await createAgent({ client: createAGUIClient({ url }), store }).openSession(session.id);
  expect(readAGUIState(later.getMessages())).toEqual({ city: 'Bern', days: ['Mon', 'Tue'] });
  await later.send('Another');
  const states = server?.requests.map(({ body }): unknown => RunAgentInputSchema.parse(JSON.parse(body)).state);
  expect(states).toEqual([{}, { city: 'Bern', days: ['Mon', 'Tue'] }]);
  // The later reply has the whole state: an earlier message may be removed or compacted.
  expect(readAGUIState(later.getMessages().slice(-1))).toEqual({ city: 'Rome', days: ['Mon', 'Tue'] });
});

test('a delta that does not apply changes nothing, and is in the log with the reason', async () => {
  const url = await remote([
    snapshot({ a: 1 }),
    delta(add('/b', 2), { op: 'remove', path: '/c' }),
    { type: 'STATE_DELTA', delta: 'x' },
    delta(add('/d', 4)),
  ]);
  const agent = createAgent({ client: createAGUIClient({ url }) });
  const session = await agent.openSession(agent.createSession());
  expect((await session.send('Go')).outcome).toBe('completed');
  expect(readAGUIState(session.getMessages())).toEqual({ a: 1, d: 4 });
  const problems = session
    .getMessages()
    .flatMap(({ content }) => content)
    .flatMap((part) => (part.type === 'provider' ? [part.data] : []));
  expect(problems).toMatchObject([
    { snapshot: { a: 1 } },
    { problem: 'there is no "c"' },
    { delta: 'x', problem: expect.stringContaining('not a list') },
    { delta: [add('/d', 4)] },
  ]);
});

/** Reads events, and returns the parts that they become. */
function partsOf(state: Json, events: readonly object[]): readonly Part[] {
  const parts: Part[] = [];
  const reader = createStateReader('agent.example', state, (part) => parts.push(part));
  for (const event of events) reader.read(toObject(toJson(event)));
  reader.flush();
  return parts;
}

const stateOf = (parts: readonly Part[]) =>
  readAGUIState([{ id: 'm', role: 'assistant', timestamp: 0, content: parts }]);

test('a snapshot may be any value, null included', () => {
  for (const value of [null, 0, '', false, []]) expect(stateOf(partsOf({ a: 1 }, [snapshot(value)]))).toEqual(value);
  expect(stateOf(partsOf({}, [{ type: 'STATE_SNAPSHOT' }]))).toBeUndefined();
});

test('many deltas become few parts, whose size grows with that of the deltas', () => {
  const events = Array.from({ length: 20_000 }, (_, index) => delta({ op: 'replace', path: '/n', value: index }));
  const parts = partsOf({ n: -1, text: 'x'.repeat(5_000) }, events);
  expect(stateOf(parts)).toMatchObject({ n: 19_999 });
  expect(parts.length).toBeLessThan(1_300);
  expect(JSON.stringify(parts).length).toBeLessThan(3 * JSON.stringify(events).length);
});

test('patches without end are refused in bounded time, each with a reason', () => {
  const growing = Array.from({ length: 400 }, () => delta(...Array.from({ length: 1_000 }, () => add('/-', 0))));
  const parts = partsOf([], growing);
  expect(parts.at(-1)).toMatchObject({ data: { problem: 'the patches are too large' } });
});
