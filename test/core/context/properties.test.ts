import { type Message, toolParts } from 'brooklet';
import { type EventBody, evolve, initialState, isEnded, type SessionState } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCounter } from '../../../src/core/context/count.ts';
import { liveRange } from '../../../src/core/context/compaction-history.ts';
import { planCompaction } from '../../../src/core/context/plan.ts';
import { textMessage } from '../../../src/core/context/immutable.ts';
import { createZoning, joinZones } from '../../../src/core/context/zones.ts';
import { openRun } from '../../../src/core/model/state.ts';
import { eventLogs } from '../../support/events.ts';
import { problemsOnTheWire } from '../../support/wire.ts';
import { seededInFull } from '../../support/seeded.ts';

const counter = createCounter({ countTokens: (text) => text.length * 40 });
const zoning = createZoning({
  immutable: [textMessage('system', 'instructions', 'Be kind.')],
  caps: { limit: 800, counter },
});

const requestOf = (state: SessionState): readonly Message[] => joinZones(zoning.zones(state));
const bytesOf = (messages: readonly Message[]): readonly string[] => messages.map((message) => JSON.stringify(message));

/** Applies one more event, with a position of its own. */
const tell = (state: SessionState, body: EventBody): SessionState =>
  evolve(state, { ...body, seq: state.seq, at: state.updatedAt, v: 2 });

/** Changes of the context before a request: a planned compaction, a failed one, an undo of the last one, a pin. */
const deeds = fc.array(
  fc.record({
    what: fc.constantFrom('fold', 'fold', 'fold', 'fail', 'undo', 'pin', 'nothing', 'nothing'),
    target: fc.integer({ min: -2_000, max: 8_000 }),
    which: fc.nat(100),
    insists: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
);

const seen = { requests: 0, folds: 0, pairs: 0, undone: 0, outputsLeftOut: 0 };

function planFor(state: SessionState, target: number, insists: boolean) {
  return planCompaction(state, { zones: zoning.zones(state), zoning, counter, target, summary: 400, insists });
}

/** Replays a log, with changes of the context before its requests, and checks each request. */
function play(
  log: readonly Parameters<typeof evolve>[1][],
  todo: readonly (typeof deeds extends fc.Arbitrary<infer T> ? T : never)[number][],
): void {
  let state = initialState('s');
  let turn = 0;
  let before: readonly string[] = [];
  let runId: string | undefined;
  for (const event of log) {
    const open = openRun(state);
    if (event.type === 'reply.started' && open !== undefined) {
      const deed = todo[turn++ % todo.length];
      const untouched = bytesOf(requestOf(state));
      const messages = state.messages;
      let changes = false;
      if (deed?.what === 'fold') {
        const plan = planFor(state, deed.target, deed.insists);
        if (plan !== undefined) {
          seen.folds++;
          if (plan.pruned !== undefined) seen.outputsLeftOut++;
          const { through, pruned } = plan;
          const start = liveRange(state).start;
          const cut = through === undefined ? start : messages.findIndex(({ id }) => id === through) + 1;
          // Open calls and the newest message stay.
          expect(cut).toBeLessThan(messages.length);
          expect(
            messages
              .slice(0, cut)
              .flatMap(toolParts)
              .every(({ status }) => isEnded(status)),
          ).toBe(true);
          expect(plan.compacted).toEqual(messages.slice(start, cut));
          state = tell(state, {
            type: 'context.compacted',
            compactionId: `c${turn}`,
            cause: 'trigger',
            strategy: 'test',
            summary: 'Boats.',
            tokens: { before: 2, after: 1 },
            ...(through !== undefined && { through }),
            ...(pruned !== undefined && { pruned }),
          });
          changes = true;
        }
      } else if (deed?.what === 'fail') {
        const { type, code, message, retryable } = {
          type: 'INTERNAL',
          code: 'UNKNOWN',
          message: 'no',
          retryable: false,
        } as const;
        state = tell(state, {
          type: 'context.compaction-failed',
          cause: 'trigger',
          error: { type, code, message, retryable },
        });
        expect(bytesOf(requestOf(state))).toEqual(untouched);
      } else if (deed?.what === 'undo') {
        const last = state.context.findLast(({ type }) => type === 'context.compacted');
        if (last?.type === 'context.compacted') {
          state = tell(state, { type: 'context.restored', compactionId: last.compactionId });
          seen.undone++;
          changes = true;
        }
      } else if (deed?.what === 'pin') {
        const messageId = messages[deed.which % Math.max(1, messages.length)]?.id;
        if (messageId !== undefined) state = tell(state, { type: 'message.pinned', messageId, pinned: deed.insists });
        changes = true;
      }
      // No visible list has changed.
      expect(state.messages).toBe(messages);

      const request = requestOf(state);
      seen.requests++;
      const problems = problemsOnTheWire(request);
      if (problems.length > 0) expect({ problems, request }).toBe('valid');
      const bytes = bytesOf(request);
      if (!changes && runId === open.id && before.length > 0) {
        seen.pairs++;
        expect(bytes.slice(0, before.length)).toEqual(before);
      }
      before = bytes;
      runId = open.id;
    }
    state = evolve(state, event);
  }
}

describe('over 2,000 generated histories, compacted, failed, undone and pinned at any request', () => {
  test(
    'each request is valid on the wire, has only complete calls, starts with the previous request, and is the same after a failure',
    { timeout: 240_000 },
    () => {
      fc.assert(
        fc.property(eventLogs({ without: ['update'], refusals: false }), deeds, (log, todo) => play(log, todo)),
        seededInFull(2_000),
      );
      // The property has covered each kind of change.
      expect(seen.requests).toBeGreaterThan(3_000);
      expect(seen.folds).toBeGreaterThan(500);
      expect(seen.pairs).toBeGreaterThan(300);
      expect(seen.undone).toBeGreaterThan(50);
      expect(seen.outputsLeftOut).toBeGreaterThan(0);
    },
  );
});
