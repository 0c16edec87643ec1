/** @jsxImportSource preact */
import { createRef, render } from 'preact';
import { act } from 'preact/test-utils';
import { createAgent } from 'brooklet';
import { createReview } from 'brooklet/review';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { afterEach, expect, test } from 'vitest';
import { SearchBox } from '../../src/review/viewer/SearchBox.tsx';

const root = document.createElement('div');
afterEach(() => render(null, root));

async function show() {
  const store = createMemoryStore();
  const agent = createAgent({ client: createScriptedClient([[reply.text('The brook is clear.')]]), store });
  const session = await agent.openSession(agent.createSession());
  await session.send('How is the brook?');
  await session.flushed();
  const { events } = (await store.read(session.id)) ?? expect.unreachable('a stored session');
  const review = createReview(events);
  const input = createRef<HTMLInputElement>();
  document.body.append(root);
  await act(() => render(<SearchBox review={review} input={input} />, root));
  const field = input.current ?? expect.unreachable('a field');
  await act(() => {
    field.value = 'clear';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  const press = async (init: KeyboardEventInit): Promise<void> =>
    act(() => void field.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init })));
  return { field, press, review };
}

test.each([
  ['Chromium and Firefox', { isComposing: true }],
  ['Safari', { keyCode: 229 }],
])('leaves the Enter and the Escape of an input method alone (%s)', async (_engine, marks) => {
  const { field, press, review } = await show();
  const before = review.getView();

  await press({ key: 'Enter', ...marks });
  await press({ key: 'Escape', ...marks });
  expect(field.value).toBe('clear');
  expect(review.getView()).toBe(before);

  await press({ key: 'Enter' });
  expect(field.value).toBe('');
  expect(review.getView()).not.toBe(before);
});
