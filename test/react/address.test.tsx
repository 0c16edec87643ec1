import { act, renderHook, waitFor } from '@testing-library/react';
import { createAgent, extractTextContent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import recipes from '../../docs/recipes.md?raw';
import { show, useChatOfAddress } from './addressRecipe.tsx';
// oxlint-disable-next-line import/default -- Vite makes the text of the file its default export.
import source from './addressRecipe.tsx?raw';
import { around } from './stage.tsx';

beforeEach(() => history.replaceState(null, '', '/'));
afterEach(() => history.replaceState(null, '', '/'));

function stage() {
  const store = createMemoryStore();
  const agent = createAgent({ client: createScriptedClient(() => [reply.text('Yes.')]), store });
  const open = () => renderHook(useChatOfAddress, { wrapper: around(agent), reactStrictMode: true });
  return { store, agent, open };
}

const idInAddress = (): string | null => new URLSearchParams(location.search).get('chat');

test('the recipe is that of the docs', () => {
  expect(recipes).toContain(source);
});

describe('the recipe for the conversation in the address', () => {
  test('replaces the address by the new id, and shows the same chat when it is opened again', async () => {
    const { open } = stage();
    const { result, unmount } = open();
    const steps = history.length;
    await act(async () => void (await result.current.send('One')));
    expect(idInAddress()).toBe(result.current.sessionId);
    expect(history.length).toBe(steps);
    unmount();
    const again = open();
    await waitFor(() => expect(again.result.current.messages).toHaveLength(2));
    expect(again.result.current.sessionId).toBe(idInAddress());
  });

  test('follows Back and Forward between conversations, and to a new chat', async () => {
    const { open } = stage();
    const { result } = open();
    const texts = () => result.current.messages.map((message) => extractTextContent(message));
    await act(async () => void (await result.current.send('One')));
    const first = idInAddress();
    act(() => show());
    await waitFor(() => expect(texts()).toEqual([]));
    await act(async () => void (await result.current.send('Two')));
    expect(texts()).toEqual(['Two', 'Yes.']);
    expect(idInAddress()).not.toBe(first);
    act(() => history.back());
    await waitFor(() => expect(texts()).toEqual(['One', 'Yes.']));
    expect(idInAddress()).toBe(first);
    act(() => history.forward());
    await waitFor(() => expect(texts()).toEqual(['Two', 'Yes.']));
  });

  test('makes a chat of an id that is not stored, and tells a removed one from text that is no id', async () => {
    const { agent, open } = stage();
    history.replaceState(null, '', '/?chat=of-a-bookmark');
    const { result } = open();
    await waitFor(() => expect(result.current.session?.id).toBe('of-a-bookmark'));
    act(() => void agent.removeSession('of-a-bookmark'));
    await waitFor(() => expect(result.current.error?.code).toBe('SESSION_REMOVED'));
    act(() => show('x'.repeat(1001)));
    await waitFor(() => expect(result.current.error?.code).toBe('INVALID_INPUT'));
    act(() => show());
    await waitFor(() => expect(result.current.error).toBeUndefined());
  });
});
