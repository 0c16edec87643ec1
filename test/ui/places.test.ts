import type { Message, Part } from 'brooklet';
import { describe, expect, it } from 'vitest';
import { placesOf, shownParts } from '../../src/ui/thread/places.ts';

const text = (text: string): Part => ({ type: 'text', text });
const reply = (id: string, status: NonNullable<Message['status']>, ...content: readonly Part[]): Message => ({
  id,
  role: 'assistant',
  content,
  timestamp: 0,
  status,
});

const shown = (...messages: readonly Message[]): readonly (readonly Part[])[] => {
  const continuations = placesOf(messages);
  return messages.map((message) =>
    shownParts(message.content, continuations.get(message.id) ?? { lead: '', isContinued: false }),
  );
};

describe('a reply that was interrupted and continued', () => {
  it('is shown together with its continuation', () => {
    expect(
      shown(reply('a', 'interrupted', text('1. one\n2. t')), reply('b', 'complete', text('wo\n3. three'))),
    ).toEqual([[], [text('1. one\n2. two\n3. three')]]);
  });

  it('stays visible until the continuation has text', () => {
    expect(shown(reply('a', 'interrupted', text('one')), reply('b', 'streaming'))).toEqual([[], [text('one')]]);
  });

  it('keeps the parts before its last text', () => {
    const thought: Part = { type: 'reasoning', text: 'hm' };
    expect(
      shown(reply('a', 'interrupted', thought, text('one ')), reply('b', 'complete', thought, text('two'))),
    ).toEqual([[thought], [text('one '), thought, text('two')]]);
  });

  it('may be interrupted again', () => {
    const replies = [
      reply('a', 'interrupted', text('a')),
      reply('b', 'interrupted', text('b')),
      reply('c', 'complete', text('c')),
    ];
    expect(shown(...replies)).toEqual([[], [], [text('abc')]]);
  });

  it('is shown unchanged if no reply continues it', () => {
    const next: Message = { id: 'q', role: 'user', content: [text('And?')], timestamp: 0 };
    expect(shown(reply('a', 'interrupted', text('one')), next, reply('b', 'complete', text('two')))).toEqual([
      [text('one')],
      [text('And?')],
      [text('two')],
    ]);
  });
});
