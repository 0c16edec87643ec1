import { extractTextContent } from 'brooklet';
import { fingerprintOf } from 'brooklet/core';
import { createReview } from 'brooklet/review';
import { describe, expect, test } from 'vitest';
import { record, recordedReview } from './recorded.ts';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the steps of a review', () => {
  test('have the requests that were sent, and what was new in each', async () => {
    const { stored, requests } = await record();
    const { steps } = createReview(stored.events);
    expect(steps.map(({ request }) => request)).toEqual(asJson(requests));
    const [first, second, , fourth] = steps;
    expect(first?.changes?.kept).toBe(0);
    expect(first?.changes?.tools.added.map(({ name }) => name)).toEqual(['pay', 'break']);
    expect(second?.changes).toMatchObject({
      kept: 2,
      dropped: [],
      parameters: [],
      tools: { added: [], removed: [], changed: [] },
    });
    expect(second?.changes?.added.map(({ role }) => role)).toEqual(['assistant']);
    expect(fourth?.changes?.parameters).toEqual([{ name: 'model', after: 'small' }]);
  });

  test('have the answer, the tokens by zone and the error', async () => {
    const { steps } = await recordedReview();
    expect(steps.map(({ answer }) => answer && extractTextContent(answer))).toEqual([
      '',
      '',
      'Paid with a change; the other tool is broken.',
      'You are welcome.',
      undefined,
    ]);
    expect(steps[0]?.answer?.content).toMatchObject([
      { type: 'reasoning', text: 'I should pay.' },
      { type: 'tool', name: 'pay', status: 'requested' },
    ]);
    expect(steps.map(({ usage }) => usage?.input)).toEqual([100, 120, 140, 200, undefined]);
    expect(steps[0]?.zones?.immutable).toBeGreaterThan(0);
    expect(steps[4]).toMatchObject({ error: { code: 'INSUFFICIENT_QUOTA' } });
  });

  test('belong to runs with their outcomes', async () => {
    const { runs } = await recordedReview();
    expect(runs.map(({ outcome, isCompaction = false, steps }) => [outcome, isCompaction, steps.length])).toEqual([
      ['completed', false, 3],
      ['completed', false, 1],
      ['completed', true, 0],
      ['failed', false, 1],
    ]);
    expect(runs.every(({ seq, endSeq = 0 }) => endSeq > seq)).toBe(true);
  });

  test('have no request in a log of version 1', async () => {
    const { stored } = await record();
    const old = stored.events.map((event) => {
      if (event.type !== 'reply.started') return event;
      const { request: _request, ...rest } = event;
      return rest;
    });
    expect(createReview(old).steps.map(({ request, changes }) => [request, changes])).toEqual(
      Array.from({ length: 5 }, () => [undefined, undefined]),
    );
  });

  test('stay open while a reply streams', async () => {
    const { stored } = await record();
    const end = stored.events.findIndex(({ type }) => type === 'reply.ended');
    const { steps, runs } = createReview(stored.events.slice(0, end));
    expect(steps).toHaveLength(1);
    expect(steps[0]?.endSeq).toBeUndefined();
    expect(steps[0]?.answer?.status).toBe('streaming');
    expect(runs[0]?.outcome).toBeUndefined();
  });
});

describe('a review lists', () => {
  test('the calls with their decisions: who, when, and what they saw', async () => {
    const { calls } = await recordedReview();
    expect(calls).toMatchObject([
      { name: 'pay', input: { n: 1 }, attempts: 1, outcome: 'succeeded', output: 'paid 2' },
      { name: 'break', attempts: 1, outcome: 'failed' },
    ]);
    const decision = calls[0]?.decision;
    expect(decision).toMatchObject({
      verdict: 'approved',
      decidedBy: 'user',
      userName: 'Ada',
      editedInput: { n: 2 },
      waited: expect.any(Number),
    });
    expect(decision?.seen?.status).toBe('awaiting-approval');
    expect(decision?.fingerprint).toBe(decision?.seen && fingerprintOf(decision.seen));
    expect(calls[0]?.duration).toBeGreaterThanOrEqual(0);
  });

  test('the compactions with the messages before and after', async () => {
    const { compactions } = await recordedReview();
    expect(compactions).toMatchObject([{ cause: 'user', summary: 'They paid.' }]);
    const [compaction] = compactions;
    expect(JSON.stringify(compaction?.before)).not.toContain('They paid.');
    expect(JSON.stringify(compaction?.after)).toContain('They paid.');
    expect(compaction?.undoneSeq).toBeUndefined();
  });

  test('the errors with their causes', async () => {
    const { errors } = await recordedReview();
    expect(errors).toMatchObject([
      { of: 'call', outcome: 'failed', message: expect.stringContaining('The lever came off.') },
      { of: 'run', message: 'No credit is left.', error: { code: 'INSUFFICIENT_QUOTA' } },
    ]);
  });

  test('tokens and cost over time', async () => {
    const { usage } = await recordedReview({ cost: ({ input, output }) => input + 2 * output });
    expect(usage.map(({ total, cost }) => [total.input, total.output, cost])).toEqual([
      [100, 10, 120],
      [220, 15, 250],
      [360, 35, 430],
      [560, 39, 638],
    ]);
    const unknown = await recordedReview({ cost: (_usage, model) => (model === 'known' ? 1 : undefined) });
    expect(unknown.usage.map(({ cost }) => cost)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('where a text was said, asked or answered', async () => {
    const review = await recordedReview();
    const found = (text: string, options = {}): readonly string[] =>
      review.search(text, options).map(({ kind }) => kind);
    expect(found('PAY THE BILL')).toEqual(['message']);
    expect(found('i should')).toEqual(['answer']);
    expect(found('brief')).toEqual(['request']);
    expect(found('lever')).toEqual(['call']);
    expect(found('no credit')).toEqual(['run']);
    expect(found('pay', { kinds: ['request', 'call'] })).toEqual(['request', 'call']);
    expect(found('.*')).toEqual([]);
    expect(found(' ')).toEqual([]);
    expect(review.search('e', { limit: 2 })).toHaveLength(2);
    const [match] = review.search('the bill');
    expect(match?.excerpt.slice(match.start, match.start + match.length)).toBe('the bill');
    expect(review.stateAt(match?.seq ?? 0).messages.map(extractTextContent)).toContain('Please pay the bill.');
  });
});
