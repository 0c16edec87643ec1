import { fireEvent, render, screen } from '@testing-library/react';
import type { Json, JsonObject } from 'brooklet';
import { afterEach, describe, expect, it } from 'vitest';
import { readElicitation } from '../../demo/src/conversation/elicitation.ts';
import { ElicitationFields } from '../../demo/src/conversation/ElicitationFields.tsx';
import { applyLanguage } from '../../demo/src/texts/language.ts';

/** Shows the buttons of an elicitation, presses them all, and returns their labels and the answers. */
function press(schema: JsonObject): readonly (readonly [label: string | null, answer: Json | undefined])[] {
  const answers: Json[] = [];
  render(
    <ElicitationFields
      elicitation={readElicitation(schema)}
      problems={new Map()}
      onChoose={(answer) => answers.push(answer)}
    />,
  );
  const buttons = screen.getAllByRole('button');
  for (const button of buttons) fireEvent.click(button);
  return buttons.map(({ textContent }, index) => [textContent, answers[index]]);
}

describe('the buttons of an elicitation', () => {
  afterEach(() => applyLanguage('en'));

  it('answer with a boolean if the schema is a boolean', () => {
    expect(press({ type: 'boolean' })).toEqual([
      ['Yes', true],
      ['No', false],
    ]);
  });

  it('are in the language of the page', async () => {
    await applyLanguage('zh');
    expect(press({ type: 'boolean' })).toEqual([
      ['是', true],
      ['否', false],
    ]);
  });

  it('answer with the text of the choice', () => {
    expect(press({ type: 'string', enum: ['No', 'Maybe'] })).toEqual([
      ['No', 'No'],
      ['Maybe', 'Maybe'],
    ]);
  });
});
