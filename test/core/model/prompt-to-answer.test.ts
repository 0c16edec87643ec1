import { expect, test } from 'vitest';
import { promptToAnswer } from '../../../src/core/model/commands.ts';
import { toWord } from '../../../src/core/model/read-json.ts';
import { initialState } from '../../../src/core/model/state.ts';

test('a session without a user message has nothing to answer, and names a message that it lacks', () => {
  const state = initialState('s');
  expect(() => promptToAnswer(state, undefined)).toThrow('There is no message of a user in session s to answer.');
  expect(() => promptToAnswer(state, 'm')).toThrow('There is no message m in session s to answer.');
});

test('a number is read as text, and other values as none', () => {
  expect([toWord(7), toWord('a'), toWord({})]).toEqual(['7', 'a', '']);
});
