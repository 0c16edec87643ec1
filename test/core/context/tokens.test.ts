import { estimateText } from 'brooklet/context';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { createCounter } from '../../../src/core/context/count.ts';
import { type SampleKind, samplesOf } from '../../support/samples.ts';

const kinds: readonly SampleKind[] = ['english', 'chinese', 'code', 'json'];

/** The share by which each sample is overestimated. */
function errorsOf(kind: SampleKind): readonly number[] {
  return samplesOf(kind).map((text) => estimateText(text) / countTokens(text) - 1);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

describe('an estimate, compared with a real tokenizer,', () => {
  test.each(kinds)('of %s is off by 10 %% or less in the median', (kind) => {
    expect(median(errorsOf(kind).map(Math.abs))).toBeLessThanOrEqual(0.1);
  });

  test('is never more than 20 % too low', () => {
    expect(Math.min(...kinds.flatMap(errorsOf))).toBeGreaterThan(-0.2);
  });

  test.each([
    ['emoji', '👩🏽‍🚀🎉🌊⛵️🐟'.repeat(20)],
    ['Japanese', '今日は港がとても静かで、カモメの声だけが聞こえます。'.repeat(10)],
    ['Korean', '오늘 아침 항구는 아주 조용했고 갈매기 소리만 들렸습니다. '.repeat(10)],
    ['Russian', 'Утром в порту было тихо, слышны были только чайки и скрип мачт. '.repeat(10)],
    ['Arabic', 'كان الميناء هادئا هذا الصباح إلا من صوت النوارس. '.repeat(10)],
    ['Hindi', 'आज सुबह बंदरगाह बहुत शांत था और केवल समुद्री पक्षियों की आवाज़ आ रही थी। '.repeat(10)],
    ['numbers', '3.14159 2,718,281 1718000400 '.repeat(20)],
    [
      'base64',
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg'.repeat(5),
    ],
    ['blanks', `${' '.repeat(400)}\n\n\n`.repeat(5)],
  ])('of %s is within a factor of two', (_what, text) => {
    const ratio = estimateText(text) / countTokens(text);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe('estimateText', () => {
  test('of an empty text is 0', () => {
    expect(estimateText('')).toBe(0);
  });

  test('is the same for the same text, and grows with it', () => {
    const text = samplesOf('english')[0] ?? '';
    expect(estimateText(text)).toBe(estimateText(text));
    expect(estimateText(text.repeat(100))).toBeGreaterThan(99 * estimateText(text));
  });

  test('accepts any string', () => {
    for (const text of ['\ud800', '\udc00\ud800', '\u0000', '\uffff', 'x'.repeat(5_000_000)])
      expect(estimateText(text)).toBeGreaterThan(0);
  });
});

describe('a counter', () => {
  test('counts each message once', () => {
    let counted = 0;
    const counter = createCounter({ countTokens: (text) => (counted++, text.length) });
    const messages = Array.from({ length: 10_000 }, (_, n) => ({
      id: String(n),
      role: 'user' as const,
      content: [{ type: 'text' as const, text: 'word' }],
      timestamp: 0,
    }));
    const first = counter.messages(messages);
    expect(counter.messages([...messages])).toBe(first);
    expect(counted).toBe(10_000);
  });

  test('counts the content of a request: calls with their results, the text of JSON, but not base64 as text', () => {
    const counter = createCounter({ countTokens: (text) => text.length, mediaTokens: () => 1_000 });
    const message = (content: Parameters<typeof counter.message>[0]['content']) =>
      counter.message({ id: 'm', role: 'assistant', content, timestamp: 0 });
    const empty = message([]);
    expect(message([{ type: 'text', text: '12345' }])).toBe(empty + 5);
    expect(message([{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(9_999) }])).toBe(empty + 1_000);
    expect(
      message([
        { type: 'tool', callId: 'c', name: 'add', status: 'succeeded', inputText: '{"a":1}', output: { sum: 1 } },
      ]),
    ).toBe(empty + 12 + 3 + 7 + 9);
  });

  test('counts reasoning only if it is sent back', () => {
    const counter = createCounter({ countTokens: (text) => text.length });
    const message = (...content: Parameters<typeof counter.message>[0]['content']) =>
      counter.message({ id: 'm', role: 'assistant', content, timestamp: 0 });
    const text = { type: 'text', text: 'So.' } as const;
    const thought = { type: 'reasoning', text: 'Let me think.' } as const;
    expect(message(thought, text)).toBe(message(text));
    expect(message({ ...thought, provider: 'sealed' }, text)).toBe(message(text) + 13);
  });

  test('counts the schemas of tools', () => {
    const counter = createCounter();
    const tool = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } } as const;
    expect(counter.tools([])).toBe(0);
    expect(counter.tools([tool, tool])).toBeGreaterThan(counter.tools([tool]));
  });
});
