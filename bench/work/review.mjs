// ms of processor time (other work on the machine does not count) to open a review of 10,000 events, and to move to any position: the
// median and the worst of 200 random jumps. The worst ones contain a garbage collection; the slowest of 200 positions is the least of three
// tries each.
//
// Then the memory that a review holds beside its events after it has listed the steps and shown 200 positions, for half of the events up
// to four times as many: linear memory is a constant number of bytes an event.
//
//   npm run build && node bench/work/review.mjs [events]

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createReview } from '../../dist/review/index.js';
import { median } from '../results.mjs';

const length = Number(process.argv[2] ?? 10_000);

/** One turn of ten events: a question, an answer with a tool call, a second answer. */
function turn(index) {
  const at = index * 1_000;
  const call = `c${index}`;
  return [
    {
      type: 'message.added',
      message: {
        id: `u${index}`,
        role: 'user',
        content: [{ type: 'text', text: `Question ${index}?` }],
        timestamp: at,
      },
    },
    { type: 'run.started', runId: `r${index}` },
    { type: 'reply.started', messageId: `a${index}`, request: { model: 'm' } },
    { type: 'call.requested', callId: call, name: 'look', inputText: '{}', input: {} },
    { type: 'reply.ended', finish: 'tool-calls', usage: { input: 10, output: 2 } },
    { type: 'approval.decided', callId: call, verdict: 'approved', decidedBy: 'policy' },
    { type: 'call.started', callId: call, attempt: 1 },
    { type: 'call.ended', callId: call, outcome: 'succeeded', output: 'x'.repeat(200) },
    { type: 'reply.started', messageId: `b${index}`, request: { model: 'm' } },
    { type: 'text.delta', text: 'An answer of some words. '.repeat(20), cadence: [0, 100, 50, 400] },
    { type: 'reply.ended', finish: 'stop', usage: { input: 20, output: 9 } },
    { type: 'run.ended', runId: `r${index}`, outcome: 'completed' },
  ];
}

/** @param {number} count */
function logOf(count) {
  const bodies = [{ type: 'session.started', sessionId: 's' }];
  for (let index = 0; bodies.length < count; index++) bodies.push(...turn(index));
  return bodies.slice(0, count).map((body, index) => ({ ...body, seq: index + 1, at: 1_000 + index * 90, v: 2 }));
}

const events = logOf(length);

/** @param {() => unknown} work */
function timed(work) {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

const show = (ms) => `${ms.toFixed(2)} ms`;

const openings = Array.from({ length: 9 }, () => timed(() => createReview(events)));
const review = createReview(events);
const outline = timed(() => review.steps);
let seed = 7;
const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
const jumps = Array.from({ length: 200 }, () => timed(() => review.stateAt(1 + Math.floor(random() * length))));
const slowest = Math.max(
  ...Array.from({ length: 200 }, (_, index) => {
    const seq = 1 + Math.floor((index * length) / 200);
    const tries = [1, 2, 3].map((hop) => {
      review.stateAt((seq + (hop * length) / 4) % length);
      return timed(() => review.stateAt(seq));
    });
    return Math.min(...tries);
  }),
);
const requests = Array.from({ length: 50 }, () =>
  timed(() => review.steps[Math.floor(random() * review.steps.length)].request),
);
const search = timed(() => review.search('answer of'));

console.log(`${length} events, ${review.steps.length} steps`);
console.log(`open      median ${show(median(openings))}, worst ${show(Math.max(...openings))}`);
console.log(`list steps       ${show(outline)}`);
console.log(`position  median ${show(median(jumps))}, worst ${show(Math.max(...jumps))}, slowest ${show(slowest)}`);
console.log(`request   median ${show(median(requests))}, worst ${show(Math.max(...requests))}`);
console.log(`first search     ${show(search)}`);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const heapUsed = () => {
  for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed;
};

/** Returns the bytes that a review of so many events holds. @param {number} count */
function bytesOf(count) {
  const log = logOf(count);
  const before = heapUsed();
  const held = createReview(log);
  const steps = held.steps.length;
  for (let index = 0; index < 200; index++) held.stateAt(Math.floor((index * count) / 200));
  const bytes = heapUsed() - before;
  // Keeps the review and its log until here.
  if (held.steps.length !== steps || log.length !== count) throw new Error('The review has changed.');
  return bytes;
}

// The first review also compiles code.
bytesOf(length);
for (const count of [length / 2, length, 2 * length, 4 * length].map(Math.round)) {
  const bytes = bytesOf(count);
  console.log(
    `memory    ${count} events: ${(bytes / 1e6).toFixed(2)} MB, ${(bytes / count).toFixed(0)} bytes an event`,
  );
}
