// ms to replay a recorded session of 10,000 events, and a tenth of it: ten times the events take ten times as long where the work is linear.
// `ms` is what a test waits; `processor` is the time of all threads, with those that compile and collect garbage beside the test. The session is a real one of a scripted model: 12 events a turn, with a tool
// call and two requests.
//
//   npm run build && node bench/work/replay.mjs [events]

import { createAgent, defineTool } from '../../dist/index.js';
import { createMemoryStore } from '../../dist/storage/index.js';
import { createScriptedClient, replay, reply } from '../../dist/testing/index.js';
import { median } from '../results.mjs';

const length = Number(process.argv[2] ?? 10_000);

const look = defineTool({
  name: 'look',
  description: 'Looks something up.',
  input: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
  execute: ({ id }) => `Result ${id}: ${'x'.repeat(200)}`,
});

/** Of a turn with a tool call and two requests. */
const eventsPerTurn = 11;

/** Records a session until it has this many events. @param {number} wanted */
async function record(wanted) {
  const store = createMemoryStore();
  const client = createScriptedClient((_request, index) =>
    index % 2 === 0
      ? [reply.call('look', { id: index }), reply.usage(30, 3)]
      : [reply.text('An answer of some words. '.repeat(20)), reply.usage(60, 90)],
  );
  const agent = createAgent({ client, store, tools: [look], instructions: 'Be brief.', model: 'm' });
  const session = await agent.openSession(agent.createSession());
  for (let turn = 0; turn < wanted / eventsPerTurn; turn++) await session.send(`Question ${turn}?`);
  await session.flushed();
  const { events } = (await store.read(session.id)) ?? { events: [] };
  return events.slice(0, events.findLastIndex(({ type }, index) => index < wanted && type === 'run.ended') + 1);
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const [from, begin] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(begin);
  return { ms: performance.now() - from, processor: (user + system) / 1_000 };
}

/** @param {readonly unknown[]} events */
async function measure(events) {
  const times = [];
  for (let round = 0; round < 7; round++) times.push(await timed(() => replay(events)));
  return { ms: median(times.map(({ ms }) => ms)), processor: median(times.map(({ processor }) => processor)) };
}

const events = await record(length);
const tenth = events.slice(
  0,
  events.findLastIndex(({ type }, index) => index < length / 10 && type === 'run.ended') + 1,
);
const [short, long] = [await measure(tenth), await measure(events)];
const row = (/** @type {readonly unknown[]} */ { length: count }, /** @type {typeof long} */ { ms, processor }) =>
  `${count} events  ${ms.toFixed(0)} ms, ${((ms / count) * 1_000).toFixed(1)} µs an event; processor ${processor.toFixed(0)} ms`;
console.log(row(tenth, short));
console.log(row(events, long));
console.log(`ratio         ${(long.ms / short.ms / (events.length / tenth.length)).toFixed(2)} (1 is linear)`);
