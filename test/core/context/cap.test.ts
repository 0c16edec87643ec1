import type { Message, Part, ToolPart } from 'brooklet';
import { describe, expect, test } from 'vitest';
import { capOutputs, pruneOutputs, shorten } from '../../../src/core/context/cap.ts';
import { createCounter } from '../../../src/core/context/count.ts';

const caps = { limit: 400, counter: createCounter({ countTokens: (text) => text.length }) };

function replyWith(...outputs: readonly ToolPart['output'][]): Message {
  const content = outputs.map((output, index): Part => {
    const call = { type: 'tool', callId: `${index}`, name: 'look', status: 'succeeded', inputText: '{}' } as const;
    return output === undefined ? call : { ...call, output };
  });
  return { id: 'a', role: 'assistant', content, timestamp: 0 };
}

const outputsOf = (message: Message): readonly unknown[] =>
  message.content.map((part) => (part.type === 'tool' ? part.output : undefined));

describe('a cap', () => {
  test('returns a message with short outputs itself', () => {
    const message = replyWith('short', { a: 1 }, undefined);
    expect(capOutputs(message, 'm2', caps)).toBe(message);
    expect(pruneOutputs(message, 'm2', caps)).toBe(message);
  });

  test('keeps head and tail of a text and states where the whole text is', () => {
    const [output] = outputsOf(capOutputs(replyWith(`begin${'x'.repeat(9_990)}final`), 'm7', caps));
    expect(output).toMatch(
      /^beginx{275}\n\[… about 9600 tokens left out here; in full in message m7 …\]\nx{115}final$/,
    );
  });

  test('cuts JSON as text', () => {
    const [output] = outputsOf(capOutputs(replyWith({ list: Array.from({ length: 500 }, (_, n) => n) }), 'm7', caps));
    expect(output).toMatch(/^\{"list":\[0,1,2/);
    expect(output).toMatch(/498,499\]\}$/);
  });

  test('keeps images beside a long text', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const [output] = outputsOf(capOutputs(replyWith([{ type: 'text', text: 'y'.repeat(5_000) }, image]), 'm7', caps));
    expect(output).toEqual([{ type: 'text', text: expect.stringContaining('in message m7') }, image]);
  });

  test('is shared by the calls of one message', () => {
    const outputs = outputsOf(capOutputs(replyWith(...Array.from({ length: 4 }, () => 'z'.repeat(2_000))), 'm1', caps));
    for (const output of outputs) expect(String(output).split('z').length).toBe(101);
  });

  test('never splits a surrogate pair', () => {
    for (let room = 1; room < 40; room++) {
      const short = shorten('👩🚀🎉🌊'.repeat(10), room / 80, 100, 'm1');
      expect(short).toBe(Buffer.from(short).toString());
    }
  });
});

describe('pruning', () => {
  test('replaces outputs and images with a placeholder, always the same text', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const message = replyWith('x'.repeat(200), [image], 'short');
    const placeholder = '[Output left out to save room; in full in message m3.]';
    expect(outputsOf(pruneOutputs(message, 'm3', caps))).toEqual([placeholder, placeholder, 'short']);
    expect(pruneOutputs(message, 'm3', caps)).toEqual(pruneOutputs(message, 'm3', caps));
  });
});
