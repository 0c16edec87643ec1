import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createAgent, type SessionStore } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createMemoryStore, exportAll, importHistory } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ImportDialog } from '../../demo/src/sessions/ImportDialog.tsx';
import { branched, manyConversations, rich } from '../history/samples/chatgpt.ts';

beforeAll(() => {
  HTMLDialogElement.prototype.showModal = vi.fn();
  HTMLDialogElement.prototype.close = vi.fn();
});

function show(content: string, store: SessionStore = createMemoryStore(), name = 'conversations.json') {
  const onClose = vi.fn();
  const agent = createAgent({ client: createScriptedClient([]), store });
  render(
    <AgentProvider agent={agent}>
      <ImportDialog file={new File([content], name)} onClose={onClose} />
    </AgentProvider>,
  );
  const button = (label: string | RegExp) => screen.findByRole('button', { name: label, hidden: true });
  return { store, onClose, button };
}

describe('the import dialog', () => {
  test('shows what is taken and what is left out, and imports on request', async () => {
    const { store, onClose, button } = show(JSON.stringify([branched, rich]));
    await screen.findByText('ChatGPT: 2 conversations, 13 messages.');
    const taken = screen.getByRole('region', { name: 'What is taken', hidden: true });
    expect(within(taken).getByText('Further versions: 3')).toBeTruthy();
    const left = screen.getByRole('region', { name: 'What is left out', hidden: true });
    expect(within(left).getByText('2 × image: not in the file, which only names it')).toBeTruthy();
    expect(within(left).getByText('1 × hologram: of a kind that conversations do not have here')).toBeTruthy();
    expect(await store.list()).toEqual({ sessions: [] });
    fireEvent.click(await button('Import 2 conversations'));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect((await store.list()).sessions).toHaveLength(2);
  });

  test('says that nothing is new, and brings back on request what was deleted', async () => {
    const store = createMemoryStore();
    await importHistory(store, JSON.stringify([branched, rich]));
    await store.remove('chatgpt-c-rich');
    const { onClose, button } = show(JSON.stringify([branched, rich]), store);
    expect(await button('Nothing to import')).toHaveProperty('disabled', true);
    expect(screen.getByText('Already here')).toBeTruthy();
    expect(screen.getByText('Deleted here')).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { hidden: true }));
    fireEvent.click(await button('Import 1 conversation'));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect((await store.list()).sessions).toHaveLength(2);
  });

  test('reads an export of its own as before', async () => {
    const other = createMemoryStore();
    await importHistory(other, JSON.stringify([branched]));
    const pieces: string[] = [];
    for await (const piece of exportAll(other)) pieces.push(piece);
    const { onClose, button } = show(pieces.join(''), createMemoryStore(), 'brooklet.jsonl');
    fireEvent.click(await button('Import 1 conversation'));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  });

  test.each([
    ['{"some":"thing"}', /This file is none that can be imported/],
    ['<html></html>', /Line 1 of the source is not JSON/],
    ['{"format":"brooklet","version":1}', /This file cannot be imported/],
  ])('says why a file is refused: %s', async (content, reason) => {
    const { store } = show(content);
    expect((await screen.findByRole('alert', { hidden: true })).textContent).toMatch(reason);
    expect(await store.list()).toEqual({ sessions: [] });
  });

  test('shows the progress of a long import, stops it, and goes on', async () => {
    const memory = createMemoryStore();
    let written = 0;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const store: SessionStore = {
      ...memory,
      async write(write) {
        if (++written === 31) await held;
        await memory.write(write);
      },
    };
    const { onClose, button } = show(JSON.stringify(manyConversations(100)), store);
    fireEvent.click(await button('Import 100 conversations'));
    await screen.findByText('Importing: 30 of 100 conversations');
    expect(screen.getByRole('progressbar', { hidden: true })).toHaveProperty('value', 30);
    fireEvent.click(await button('Stop'));
    await act(async () => release());
    expect(screen.getByText('Stopped. 30 conversations were imported and are kept.')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(await button('Go on'));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect((await memory.list({ limit: 200 })).sessions).toHaveLength(100);
  });
});
