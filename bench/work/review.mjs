// ms of processor time (other work on the machine does not count) to open a review of 10,000 events, and to move to any position: the
// median and the worst of 200 random jumps. The worst ones contain a garbage collection; the slowest of 200 positions is the least of three
// tries each.
//
//   npm run build && node bench/work/review.mjs [events]

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

const bodies = [{ type: 'session.started', sessionId: 's' }];
for (let index = 0; bodies.length < length; index++) bodies.push(...turn(index));
const events = bodies
  .slice(0, length)
  .map((body, index) => ({ ...body, seq: index + 1, at: 1_000 + index * 90, v: 2 }));

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
