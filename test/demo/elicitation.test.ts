import { describe, expect, it } from 'vitest';
import { type Field, readElicitation, toAnswer } from '../../demo/src/conversation/elicitation.ts';

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

describe('an elicitation', () => {
  it('is shown as a choice, a text field or a form, by its schema', () => {
    expect(readElicitation({ type: 'string', enum: ['a', 'b'] })).toEqual({ kind: 'choice', choices: ['a', 'b'] });
    expect(readElicitation({ type: 'boolean' })).toEqual({ kind: 'boolean' });
    expect(readElicitation({ type: 'string', title: 'Why?' })).toEqual({ kind: 'text' });
    const elicitation = readElicitation(schema);
    expect(
      elicitation.kind === 'form' && elicitation.fields.map(({ name, kind, isRequired }) => [name, kind, isRequired]),
    ).toEqual([
      ['city', 'text', true],
      ['nights', 'integer', false],
      ['budget', 'number', false],
      ['quiet', 'boolean', false],
      ['class', 'choice', true],
    ]);
    expect(elicitation.kind === 'form' && elicitation.fields[0]).toMatchObject({ label: 'City', hint: 'Where to?' });
  });

  it.each([
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['a nested form', { type: 'object', properties: { a: { type: 'object' } } }],
    ['a choice of numbers', { enum: [1, 2] }],
    ['anything', {}],
    ['an object without properties', { type: 'object' }],
  ])('for %s is answered in JSON', (_name, requested) => {
    expect(readElicitation(requested)).toEqual({ kind: 'json' });
  });

  it('is answered with numbers, with booleans for checkboxes, and without empty fields', () => {
    const elicitation = readElicitation(schema);
    const fields: readonly Field[] = elicitation.kind === 'form' ? elicitation.fields : [];
    expect(toAnswer(fields, form({ city: ' Rome', nights: '2', budget: '', quiet: 'on', class: 'first' }))).toEqual({
      city: ' Rome',
      nights: 2,
      quiet: true,
      class: 'first',
    });
    expect(toAnswer(fields, form({ city: ' ' }))).toEqual({ quiet: false });
  });
});
