import { createAgent, type LLMRequest, type Message } from 'brooklet';
import { createReview } from 'brooklet/review';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, replay, reply } from 'brooklet/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareRequest } from '../../../src/core/context/prepare-request.ts';
import { initialState } from '../../../src/core/model/state.ts';
import { createGrowingRequests } from '../../../src/review/replay/growing-requests.ts';
import { play, schedules } from '../../support/schedule.ts';
import { seeded } from '../../support/seeded.ts';

const bytesOf = (request: LLMRequest | undefined): string => JSON.stringify(request);

test(
  'every request of a replay has the bytes of the request that the log describes',
  { timeout: 240_000 },
  async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const { log } = await play(schedule, { agent: { instructions: 'Be brief.' } });
        const { requests } = await replay(log);
        const { steps } = createReview(log);
        expect(requests.map(bytesOf)).toEqual(steps.map(({ request }) => bytesOf(request)));
        compared += requests.length;
      }),
      { ...seeded(40, 8), endOnFailure: true },
    );
    expect(compared).toBeGreaterThan(5);
  },
);

test('requests after a change of earlier messages have the bytes of those that the log describes', async () => {
  const store = createMemoryStore();
  const client = createScriptedClient((_request, index) => [reply.text(`Answer ${index}`)]);
  const agent = createAgent({ client, store, model: 'm', instructions: 'Be brief.' });
  const session = await agent.openSession(agent.createSession());
  const idAt = (place: number): string => session.getMessages()[place]?.id ?? expect.unreachable();
  await session.send('One');
  await session.send('Two');
  session.updateMessage(idAt(0), (message) => ({ ...message, content: [{ type: 'text', text: 'First' }] }));
  await session.send('Three');
  session.removeMessage(idAt(1));
  await session.send('Four');
  await session.regenerate(idAt(1));
  await session.send('Five');
  await session.edit(idAt(0), 'Another first');
  await session.send('Six');
  await session.flushed();
  const log = (await store.read(session.id))?.events ?? [];
  const { requests, state } = await replay(log);
  expect(requests.length).toBeGreaterThan(7);
  expect(requests.map(bytesOf)).toEqual(createReview(log).steps.map(({ request }) => bytesOf(request)));
  expect(Object.isFrozen(state) && Object.isFrozen(state.messages[0]?.content)).toBe(true);
});

const kinds: Readonly<Record<string, (id: string) => Message>> = {
  asked: (id) => ({ id, role: 'user', content: [{ type: 'text', text: `Question ${id}` }], timestamp: 0 }),
  answered: (id) => ({ id, role: 'assistant', content: [{ type: 'text', text: `Answer ${id}` }], timestamp: 0 }),
  interrupted: (id) => ({ ...answeredAs(id), status: 'interrupted' }),
  truncated: (id) => ({ ...answeredAs(id), finish: 'length' }),
  empty: (id) => ({ id, role: 'assistant', content: [], timestamp: 0 }),
};

function answeredAs(id: string): Message {
  return { id, role: 'assistant', content: [{ type: 'text', text: `Part ${id}` }], timestamp: 0 };
}

const immutable: readonly Message[] = [
  { id: 'instructions', role: 'system', content: [{ type: 'text', text: 'Be brief.' }], timestamp: 0 },
];

/** What is done to a conversation before its next request. */
const changes = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ add: fc.constantFrom(...Object.keys(kinds)) }) },
    { weight: 1, arbitrary: fc.record({ removeFrom: fc.nat(12) }) },
    { weight: 1, arbitrary: fc.record({ edit: fc.nat(12) }) },
  ),
  { minLength: 1, maxLength: 30 },
);

test('a conversation that grows, shrinks or is edited has the same requests as when each is made as a whole', () => {
  fc.assert(
    fc.property(changes, (list) => {
      const make = createGrowingRequests();
      let messages: readonly Message[] = [];
      for (const [index, change] of list.entries()) {
        if ('add' in change) messages = [...messages, (kinds[change.add] ?? expect.unreachable())(`m${index}`)];
        else if ('removeFrom' in change) messages = messages.slice(0, change.removeFrom);
        else
          messages = messages.map((message, place) => (place === change.edit ? { ...message, timestamp: 1 } : message));
        const state = { ...initialState('s'), messages };
        const whole = prepareRequest(state, { immutable, tools: [] });
        const grown = make(state, immutable.length, (from) => prepareRequest(from, { immutable, tools: [] }));
        expect(JSON.stringify(grown)).toBe(JSON.stringify(whole));
      }
    }),
    seeded(300, 9),
  );
});
