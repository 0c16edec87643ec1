import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { filterCommands } from '../../demo/src/palette/commands.ts';
import { HelpDialog } from '../../demo/src/palette/HelpDialog.tsx';
import { setLanguage } from '../../demo/src/texts/language.ts';
import { framePassed } from '../support/frame.ts';
import { Palette } from '../../demo/src/palette/Palette.tsx';
import { closeToast, getToasts, showToast, undoLast } from '../../demo/src/toast/toasts.ts';

const run = (): void => {};

beforeEach(() => {
  // jsdom has no modal dialogs, and scrolls nothing.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  Element.prototype.scrollIntoView = () => {};
});

describe('filterCommands', () => {
  const commands = ['Open settings', 'Settings: Usage', 'New chat'].map((label) => ({
    id: label,
    label,
    icon: 'plus' as const,
    run,
  }));
  const labels = (text: string) => filterCommands(commands, text).map(({ label }) => label);

  it('finds every word in any order, what begins with the first word first', () => {
    expect(labels('settings')).toEqual(['Settings: Usage', 'Open settings']);
    expect(labels('usage set')).toEqual(['Settings: Usage']);
    expect(labels('  ')).toHaveLength(3);
    expect(labels('zzz')).toEqual([]);
  });
});

describe('Palette', () => {
  async function show(sessionId?: string) {
    const store = createMemoryStore();
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(agent.createSession({ id: 'walk' }));
    session.addMessage({ role: 'user', content: 'Plan a walk' });
    await session.flushed();
    const onNewChat = vi.fn<() => void>();
    const onSidebar = vi.fn<() => void>();
    const onAnswerAgain = vi.fn<() => void>();
    const onClose = vi.fn<() => void>();
    const actions = { sessionId, onNewChat, onSearch: run, onSidebar, onAnswerAgain };
    render(
      <AgentProvider agent={agent}>
        <Palette {...actions} onClose={onClose} />
      </AgentProvider>,
    );
    const field = await screen.findByRole('combobox');
    return { field, onNewChat, onSidebar, onAnswerAgain, onClose };
  }

  const activeLabel = (field: HTMLElement) =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;

  it('offers recent conversations, and moves through everything by arrow keys', async () => {
    const { field, onClose } = await show();
    const recent = await screen.findByRole('group', { name: 'Recent conversations' });
    expect(within(recent).getByRole('option').textContent).toBe('Plan a walk');
    expect(activeLabel(field)).toBe('Plan a walk');
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    expect(activeLabel(field)).toContain('New chat');
    fireEvent.keyDown(field, { key: 'ArrowUp' });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(onClose).toHaveBeenCalledOnce();
    expect(location.hash).toBe('#/s/walk');
  });

  it('runs the first command that fits', async () => {
    const { field, onNewChat } = await show();
    fireEvent.change(field, { target: { value: 'new ch' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(onNewChat).toHaveBeenCalledOnce();
  });

  it('answers the last message of a conversation again, and hides the list of conversations', async () => {
    const { field, onSidebar, onAnswerAgain } = await show('walk');
    for (const words of ['answer again', 'hide conversations']) {
      fireEvent.change(field, { target: { value: words } });
      fireEvent.keyDown(field, { key: 'Enter' });
    }
    expect(onAnswerAgain).toHaveBeenCalledOnce();
    expect(onSidebar).toHaveBeenCalledOnce();
  });

  it('offers nothing for a conversation where there is none', async () => {
    const { field } = await show();
    fireEvent.change(field, { target: { value: 'answer again' } });
    await screen.findByText('Nothing found.', { selector: 'p' });
  });

  it('shows the devtools, and hides them', async () => {
    Object.assign(CSSStyleSheet.prototype, { replaceSync() {} });
    const { field } = await show();
    const hosts = (): number => [...document.documentElement.children].filter(({ shadowRoot }) => shadowRoot).length;
    for (const count of [1, 0]) {
      fireEvent.change(field, { target: { value: 'devtools' } });
      fireEvent.keyDown(field, { key: 'Enter' });
      await waitFor(() => expect(hosts()).toBe(count));
    }
    await framePassed();
  });

  it('chooses nothing while a word is being composed, or where nothing is found', async () => {
    const { field, onClose } = await show();
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    fireEvent.change(field, { target: { value: 'qqqq' } });
    await screen.findByText('Nothing found.', { selector: 'p' });
    fireEvent.keyDown(field, { key: 'Enter' });
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe('HelpDialog', () => {
  it.each([
    ['en', ['Answer the last message again', 'Settings of this chat', 'Show or hide the conversations']],
    ['zh', ['重新回答上一条消息', '当前对话的设置', '显示或隐藏对话列表']],
  ] as const)('names the keys of the page (%s)', async (language, sentences) => {
    await setLanguage(language);
    render(<HelpDialog onClose={run} />);
    const capsOf = (sentence: string) =>
      [...(screen.getByText(sentence).closest('div')?.querySelectorAll('kbd') ?? [])].map((cap) => cap.textContent);
    expect(sentences.map(capsOf)).toEqual([
      ['Ctrl', 'Shift', '↵'],
      ['Ctrl', '.'],
      ['Ctrl', 'B'],
    ]);
    await act(() => setLanguage('en'));
  });
});

describe('toasts', () => {
  it('undo the latest removal, once', () => {
    const undone: string[] = [];
    for (const name of ['a', 'b'])
      showToast(name, { action: { label: 'Undo', isUndo: true, run: () => void undone.push(name) } });
    const last = showToast('Exported');
    expect([undoLast(), undoLast(), undoLast()]).toEqual([true, true, false]);
    expect(undone).toEqual(['b', 'a']);
    closeToast(last);
    expect(getToasts()).toEqual([]);
  });
});
