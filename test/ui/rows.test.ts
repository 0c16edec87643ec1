import type { Message, ToolPart } from 'brooklet';
import { describe, expect, it } from 'vitest';
import { toRows } from '../../src/ui/thread/rows.ts';

const call = (name: string, more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: name,
  name,
  input: {},
  inputText: '{}',
  status: 'succeeded',
  durationMs: 1_000,
  ...more,
});
const step = (id: string, ...content: Message['content']): Message => ({
  id,
  role: 'assistant',
  content,
  timestamp: 0,
  status: 'complete',
});
const asked: Message = { id: 'q', role: 'user', content: [{ type: 'text', text: 'Go' }], timestamp: 0 };
const answer = step('end', { type: 'text', text: 'Done.' });
const kinds = (...messages: readonly Message[]): readonly string[] => toRows(messages).map(({ kind }) => kind);

describe('toRows', () => {
  it('groups the steps before an answer, and adds up how long they worked', () => {
    const thought = { type: 'reasoning', text: 'Hm', durationMs: 500 } as const;
    const messages = [
      step('a', thought, call('one')),
      step('b', call('two', { isError: true })),
      step('c', call('one')),
    ];
    expect(toRows([asked, ...messages, answer])).toEqual([
      { kind: 'message', message: asked },
      { kind: 'steps', steps: { messages, calls: 3, failed: 1, durationMs: 3_500, tools: ['one', 'two'] } },
      { kind: 'message', message: answer },
    ]);
  });

  it('leaves one or two calls as they are', () => {
    expect(kinds(asked, step('a', call('one')), step('b', call('two')), answer)).toEqual(Array(4).fill('message'));
  });

  it.each([
    ['a picture', step('c', call('draw', { details: { type: 'image', mediaType: 'image/png', data: 'AAAA' } }))],
    ['an unknown result', step('c', call('run', { status: 'uncertain' }))],
    ['a text', step('c', { type: 'text', text: 'By the way' }, call('one'))],
  ])('keeps %s in view', (_what, message) => {
    const group = ['w', 'x', 'y'].map((id) => step(id, call(id)));
    expect(kinds(asked, ...group, message, answer)).toEqual(['message', 'steps', 'message', 'message']);
  });

  it('keeps the calls in view that the page wants to see', () => {
    const messages = ['v', 'w', 'x', 'show', 'z'].map((id) => step(id, call(id)));
    const rows = toRows([asked, ...messages, answer], ({ name }) => name === 'show');
    expect(rows.map(({ kind }) => kind)).toEqual(['message', 'steps', 'message', 'message', 'message']);
  });

  it('keeps the last reply in view, also while it has no text', () => {
    const group = ['w', 'x', 'y', 'z'].map((id) => step(id, call(id)));
    expect(kinds(asked, ...group)).toEqual(['message', 'steps', 'message']);
  });
});
