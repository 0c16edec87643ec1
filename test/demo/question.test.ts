import { describe, expect, it } from 'vitest';
import { type Field, readQuestion, toAnswer, toChoice } from '../../demo/src/conversation/question.ts';

const form = (entries: Readonly<Record<string, string>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(entries)) data.set(name, value);
  return data;
};

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', description: 'Where to?' },
    nights: { type: 'integer' },
    budget: { type: 'number' },
    quiet: { type: 'boolean' },
    class: { type: 'string', enum: ['first', 'second'] },
  },
  required: ['city', 'class'],
} as const;

describe('a question', () => {
  it('is put as what its schema asks for', () => {
    expect(readQuestion({ type: 'string', enum: ['a', 'b'] })).toEqual({ kind: 'choice', choices: ['a', 'b'] });
    expect(readQuestion({ type: 'boolean' })).toEqual({ kind: 'choice', choices: ['Yes', 'No'] });
    expect(readQuestion({ type: 'string', title: 'Why?' })).toEqual({ kind: 'text' });
    const question = readQuestion(schema);
    expect(
      question.kind === 'form' && question.fields.map(({ name, kind, isRequired }) => [name, kind, isRequired]),
    ).toEqual([
      ['city', 'text', true],
      ['nights', 'integer', false],
      ['budget', 'number', false],
      ['quiet', 'boolean', false],
      ['class', 'choice', true],
    ]);
    expect(question.kind === 'form' && question.fields[0]).toMatchObject({ label: 'City', hint: 'Where to?' });
  });

  it.each([
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['a form with a form in it', { type: 'object', properties: { a: { type: 'object' } } }],
    ['numbers to choose from', { enum: [1, 2] }],
    ['anything', {}],
    ['an object without properties', { type: 'object' }],
  ])('for %s is answered in JSON', (_what, asked) => {
    expect(readQuestion(asked)).toEqual({ kind: 'json' });
  });

  it('is answered with a boolean where one was asked for, whatever the button says', () => {
    expect(toChoice({ type: 'boolean' }, 'Yes')).toBe(true);
    expect(toChoice({ type: 'boolean' }, 'No')).toBe(false);
    expect(toChoice({ type: 'string' }, 'No')).toBe('No');
  });

  it('is answered with numbers as numbers, a box as yes or no, and without what was left empty', () => {
    const question = readQuestion(schema);
    const fields: readonly Field[] = question.kind === 'form' ? question.fields : [];
    expect(toAnswer(fields, form({ city: ' Rome', nights: '2', budget: '', quiet: 'on', class: 'first' }))).toEqual({
      city: ' Rome',
      nights: 2,
      quiet: true,
      class: 'first',
    });
    expect(toAnswer(fields, form({ city: ' ' }))).toEqual({ quiet: false });
  });
});
