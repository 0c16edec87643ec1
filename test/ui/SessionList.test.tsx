import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { AgentError, createAgent, type SessionSummary } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { useSessions } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { Announcer, chinese, SessionList, type SessionListProps, type SessionListSource } from 'brooklet/ui';
import { type ReactElement, StrictMode, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

const day = 86_400_000;
const today = new Date().setHours(0, 0, 0, 0);

function row(id: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id,
    title: `Title ${id}`,
    createdAt: 0,
    updatedAt: today,
    status: 'idle',
    messageCount: 2,
    usage: { input: 0, output: 0 },
    seq: 1,
    ...more,
  };
}

const rows = (...ids: readonly string[]): readonly SessionSummary[] => ids.map((id) => row(id));

interface Shown {
  readonly person: UserEvent;
  readonly container: HTMLElement;
  readonly show: (source: Partial<SessionListSource>, props?: Partial<SessionListProps>) => void;
}

function show(source: Partial<SessionListSource>, props: Partial<SessionListProps> = {}): Shown {
  const toList = (source: Partial<SessionListSource>, props: Partial<SessionListProps>): ReactElement => (
    <StrictMode>
      <SessionList sessions={{ sessions: [], ...source }} href={(id) => `#${id}`} {...props} />
    </StrictMode>
  );
  const { container, rerender } = render(toList(source, props));
  return {
    person: userEvent.setup(),
    container,
    show: (source, more = props) => rerender(toList(source, more)),
  };
}

const titles = (): readonly string[] => screen.queryAllByRole('link').map((link) => link.textContent ?? '');
const link = (name: string): HTMLElement => screen.getByRole('link', { name: new RegExp(name) });
const focusOn = (element: HTMLElement): void => act(() => element.focus());
const focused = (): string => document.activeElement?.textContent ?? '';

describe('SessionList', () => {
  it('groups by age, with pinned sessions first and archived ones behind a heading that opens', async () => {
    const { person } = show({
      sessions: [
        row('a'),
        row('b', { updatedAt: today - 1 }),
        row('c', { updatedAt: today - 3 * day, metadata: { pinned: true } }),
        row('d', { updatedAt: today - 30 * day, metadata: { archived: true } }),
        row('e', { updatedAt: today - 3 * day }),
        row('f', { updatedAt: today - 8 * day }),
      ],
    });
    expect(screen.getAllByRole('heading').map((its) => its.textContent)).toEqual([
      'Pinned',
      'Today',
      'Yesterday',
      'Last seven days',
      'Older',
      'Archived (1)',
    ]);
    expect(titles()).toEqual(['Title c', 'Title a', 'Title b', 'Title e', 'Title f']);
    await person.click(screen.getByRole('button', { name: 'Archived (1)' }));
    expect(titles()).toContain('Title d');
    expect(within(screen.getByRole('group', { name: 'Pinned' })).getAllByRole('link')).toHaveLength(1);
  });

  it('groups as the page says, or not at all', () => {
    const sessions = [row('a', { metadata: { folder: 'Work' } }), row('b'), row('c', { metadata: { folder: 'Work' } })];
    const { show: again } = show(
      { sessions },
      {
        groupBy: ({ metadata }) => {
          const folder = metadata?.['folder'];
          return typeof folder === 'string' ? folder : undefined;
        },
      },
    );
    expect(screen.getAllByRole('heading').map((its) => its.textContent)).toEqual(['Work']);
    expect(titles()).toEqual(['Title a', 'Title c', 'Title b']);
    again({ sessions }, { groupBy: 'none' });
    expect(screen.queryAllByRole('heading')).toEqual([]);
    expect(titles()).toEqual(['Title a', 'Title b', 'Title c']);
  });

  it('names the state of a session: running, waiting for a decision, unfinished', () => {
    show({
      sessions: [
        row('a', { status: 'running' }),
        row('b', {
          status: 'waiting',
          waiting: [{ callId: 'c', name: 'pay_bill', kind: 'approval', requestedAt: 0 }],
        }),
        row('c', { status: 'failed' }),
        row('d', { title: '' }),
      ],
    });
    expect(screen.getAllByRole('img').map((its) => its.getAttribute('aria-label'))).toEqual([
      'Working',
      'Waiting for your decision: pay_bill',
      'Did not finish',
    ]);
    expect(link('New conversation').title).toContain(String(new Date(today).getFullYear()));
  });

  it('marks a session as unread that has new messages and is not the current one', () => {
    const { show: again } = show({ sessions: rows('a', 'b') }, { current: 'a' });
    expect(screen.queryByRole('img', { name: 'Unread' })).toBeNull();
    const news = [row('a', { messageCount: 4 }), row('b', { messageCount: 4 })];
    again({ sessions: news }, { current: 'a' });
    expect(within(link('Title b')).getByRole('img', { name: 'Unread' })).toBeTruthy();
    expect(within(link('Title a')).queryByRole('img')).toBeNull();
    again({ sessions: news }, { current: 'b' });
    again({ sessions: news }, { current: 'a' });
    expect(screen.queryByRole('img', { name: 'Unread' })).toBeNull();
    again({ sessions: news }, { current: 'a', isUnread: ({ id }) => id === 'a' });
    expect(within(link('Title a')).getByRole('img', { name: 'Unread' })).toBeTruthy();
  });

  it('opens a session by a click, and leaves a click for another tab to the browser', () => {
    const onOpen = vi.fn<NonNullable<SessionListProps['onOpen']>>((_session, event) => event.preventDefault());
    show({ sessions: rows('a') }, { onOpen, current: 'a' });
    expect(link('Title a').getAttribute('aria-current')).toBe('page');
    expect(link('Title a').getAttribute('href')).toBe('#a');
    expect(fireEvent.click(link('Title a'))).toBe(false);
    expect(onOpen.mock.calls.map(([{ id }]) => id)).toEqual(['a']);
    fireEvent.click(link('Title a'), { ctrlKey: true });
    expect(onOpen).toHaveBeenCalledTimes(1);
  });

  it('is walked through with the keyboard: one stop of Tab, arrows, Home and End', async () => {
    const { person } = show({ sessions: rows('a', 'b', 'c'), rename: () => {} }, { current: 'b' });
    await person.tab();
    expect(focused()).toBe('Title b');
    await person.keyboard('{ArrowDown}');
    expect(focused()).toBe('Title c');
    await person.keyboard('{ArrowDown}{Home}');
    expect(focused()).toBe('Title a');
    await person.keyboard('{End}');
    expect(focused()).toBe('Title c');
    await person.tab();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions for Title c');
    await person.tab();
    expect(document.activeElement).toBe(document.body);
  });

  it('renames in place by F2: Enter accepts, Escape and an empty title do not', async () => {
    const rename = vi.fn<(id: string, title: string) => void>();
    const { person } = show({ sessions: rows('a', 'b'), rename });
    focusOn(link('Title a'));
    await person.keyboard('{F2}');
    expect(screen.getByRole('textbox', { name: 'Title' })).toBe(document.activeElement);
    await person.keyboard('Brook{Enter}');
    expect(rename.mock.calls).toEqual([['a', 'Brook']]);
    expect(focused()).toBe('Title a');
    await person.keyboard('{F2}Pond{Escape}');
    await person.keyboard('{F2}{Backspace}{Enter}');
    expect(rename).toHaveBeenCalledTimes(1);
    expect(focused()).toBe('Title a');
  });

  it('does not end a title at the Enter of an input method', async () => {
    const rename = vi.fn<(id: string, title: string) => void>();
    const { person } = show({ sessions: rows('a'), rename });
    focusOn(link('Title a'));
    await person.keyboard('{F2}');
    const field = screen.getByRole('textbox', { name: 'Title' });
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field, { key: 'Delete' });
    expect(screen.getByRole('textbox', { name: 'Title' })).toBe(field);
  });

  it('removes at once by Delete, moves the focus to the neighbour, and undoes', async () => {
    const remove = vi.fn<(id: string) => void>();
    const restore = vi.fn<(id: string) => void>();
    const { person } = show({ sessions: rows('a', 'b', 'c'), remove, restore });
    focusOn(link('Title b'));
    await person.keyboard('{Delete}');
    expect(remove.mock.calls).toEqual([['b']]);
    // The source still lists it.
    expect(titles()).toEqual(['Title a', 'Title c']);
    expect(focused()).toBe('Title c');
    expect(screen.getByText('“Title b” deleted')).toBeTruthy();
    await person.keyboard('{Control>}z{/Control}');
    expect(restore.mock.calls).toEqual([['b']]);
    expect(titles()).toEqual(['Title a', 'Title b', 'Title c']);
    expect(focused()).toBe('Title b');
    expect(screen.queryByText('“Title b” deleted')).toBeNull();
  });

  it('brings a session back that could not be removed, and says why', async () => {
    const onRemove = (): Promise<never> =>
      Promise.reject(new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' }));
    const { person } = show({ sessions: rows('a', 'b') }, { onRemove });
    focusOn(link('Title a'));
    await person.keyboard('{Delete}');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The storage is full. Delete conversations that you no longer need.');
    expect(titles()).toEqual(['Title a', 'Title b']);
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('brings back what is still listed when the source reports an error', async () => {
    const { person, show: again } = show({ sessions: rows('a', 'b'), remove: () => {} });
    focusOn(link('Title a'));
    await person.keyboard('{Delete}');
    expect(titles()).toEqual(['Title b']);
    const error = new AgentError('It failed.', { code: 'STORAGE_FAILED' });
    again({ sessions: rows('a', 'b'), remove: () => {}, error });
    expect(titles()).toEqual(['Title a', 'Title b']);
    expect(screen.getByRole('alert').textContent).toBe('The list could not be read or changed. It failed.');
    expect(screen.queryByText('“Title a” deleted')).toBeNull();
  });

  it('says when the time to bring a session back is over', async () => {
    const { person } = show({ sessions: rows('a') }, { onRemove: () => {}, onUndo: () => Promise.resolve(false) });
    focusOn(link('Title a'));
    await person.keyboard('{Delete}');
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    expect((await screen.findByRole('alert')).textContent).toContain('the time for it is over');
  });

  it('lists a removed session again when it returns after it had left the list', async () => {
    const { person, show: again } = show({ sessions: rows('a', 'b'), remove: () => {} });
    focusOn(link('Title a'));
    await person.keyboard('{Delete}');
    again({ sessions: rows('b'), remove: () => {} });
    again({ sessions: rows('a', 'b'), remove: () => {} });
    expect(titles()).toEqual(['Title a', 'Title b']);
  });

  it('selects several, and pins, archives or removes all of them', async () => {
    const setMetadata = vi.fn<(id: string, change: object) => void>();
    const onRemove = vi.fn<(sessions: readonly SessionSummary[]) => void>();
    const { person } = show({ sessions: rows('a', 'b', 'c', 'd'), setMetadata }, { onRemove });
    await person.click(screen.getByRole('checkbox', { name: 'Select Title a' }));
    await person.keyboard('{Shift>}');
    await person.click(screen.getByRole('checkbox', { name: 'Select Title c' }));
    await person.keyboard('{/Shift}');
    const bar = screen.getByRole('group', { name: 'Actions for the selected conversations' });
    expect(within(bar).getByText('3 selected')).toBeTruthy();
    await person.click(within(bar).getByRole('button', { name: 'Pin' }));
    await person.click(within(bar).getByRole('button', { name: 'Archive' }));
    expect(setMetadata.mock.calls).toEqual([
      ...['a', 'b', 'c'].map((id) => [id, { pinned: true }]),
      ...['a', 'b', 'c'].map((id) => [id, { archived: true }]),
    ]);
    await person.click(within(bar).getByRole('button', { name: 'Delete' }));
    expect(onRemove.mock.calls.map(([some]) => some.map(({ id }) => id))).toEqual([['a', 'b', 'c']]);
    expect(screen.getByText('3 conversations deleted')).toBeTruthy();
    expect(titles()).toEqual(['Title d']);
  });

  it('selects with the keyboard: Space, Shift and arrows, Ctrl+A; Escape clears', async () => {
    const { person } = show({ sessions: rows('a', 'b', 'c'), remove: () => {} });
    const checked = (): number => screen.getAllByRole<HTMLInputElement>('checkbox').filter((box) => box.checked).length;
    focusOn(link('Title a'));
    await person.keyboard(' ');
    expect(checked()).toBe(1);
    await person.keyboard('{Shift>}{ArrowDown}{/Shift}');
    expect(checked()).toBe(2);
    await person.keyboard('{Escape}');
    expect(checked()).toBe(0);
    await person.keyboard('{Control>}a{/Control}');
    expect(checked()).toBe(3);
    await person.keyboard('{Escape}');
    expect(screen.queryByText('3 selected')).toBeNull();
  });

  it('presses a row without an address by the space bar, and selects it with Shift', async () => {
    const onOpen = vi.fn<() => void>();
    const { person } = show({ sessions: rows('a') }, { href: undefined, onOpen });
    focusOn(screen.getByRole('button', { name: 'Title a' }));
    await person.keyboard(' ');
    expect(onOpen).toHaveBeenCalledTimes(1);
    await person.keyboard('{Shift>} {/Shift}');
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(onOpen).toHaveBeenCalledTimes(1);
  });

  it('offers what the source can do, and what the page adds', async () => {
    const review = vi.fn<() => void>();
    const { person } = show(
      { sessions: rows('a'), rename: () => {}, setMetadata: () => {}, remove: () => {} },
      {
        actions: (sessions, usual) => [
          ...usual.filter(({ name }) => name !== 'select'),
          { name: 'review', label: `Review ${sessions.length}`, onSelect: review },
          { name: 'share', label: 'Share', href: '#share' },
        ],
      },
    );
    focusOn(link('Title a'));
    await person.keyboard('{Shift>}{F10}{/Shift}');
    const menu = screen.getByRole('menu', { name: 'Actions for Title a' });
    expect(
      within(menu)
        .getAllByRole('menuitem')
        .map((its) => its.textContent),
    ).toEqual(['Pin', 'Rename', 'Labels…', 'Archive', 'Delete', 'Review 1', 'Share']);
    await person.keyboard('{End}{ArrowUp}{Enter}');
    expect(review).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('menu')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Actions for Title a' }));
    await person.keyboard('s');
    expect(focused()).toBe('Share');
    await person.keyboard('{Escape}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions for Title a');
  });

  it('has no menu where nothing can be done but to select', () => {
    show({ sessions: rows('a') }, { actions: () => [] });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('searches, and says that nothing was found', async () => {
    function Searching(): ReactElement {
      const [search, setSearch] = useState('');
      const found = rows('a', 'b').filter(({ title }) => title.includes(search));
      return (
        <SessionList sessions={{ sessions: found }} href={(id) => `#${id}`} search={search} onSearch={setSearch} />
      );
    }
    render(<Searching />);
    const person = userEvent.setup();
    const field = screen.getByRole('searchbox', { name: 'Search conversations' });
    await person.type(field, 'Title b');
    expect(titles()).toEqual(['Title b']);
    await person.keyboard('{ArrowDown}');
    expect(focused()).toBe('Title b');
    await person.type(field, ' and more');
    expect(screen.getByText('No conversation contains “Title b and more”.')).toBeTruthy();
    await person.keyboard('{Escape}');
    expect(titles()).toEqual(['Title a', 'Title b']);
  });

  it('says that it loads, that there is nothing, and that nothing is stored', () => {
    const { show: again, container } = show({ isLoading: true });
    expect(screen.getByText('Loading…')).toBeTruthy();
    expect(screen.getByRole('navigation').getAttribute('aria-busy')).toBe('true');
    again({});
    expect(screen.getByText('Your conversations appear here.')).toBeTruthy();
    again({ hasStore: false });
    expect(screen.getByText('This page stores no conversations.')).toBeTruthy();
    expect(container.querySelector('[data-part=session-list]')?.getAttribute('data-state')).toBe('empty');
  });

  it('loads more, once, and states the number at the end', async () => {
    const loadMore = vi.fn<() => void>();
    const { person, show: again } = show({ sessions: rows('a'), hasMore: true, loadMore });
    await person.click(screen.getByRole('button', { name: 'Show older' }));
    again({ sessions: rows('a'), hasMore: true, isLoadingMore: true, loadMore });
    await person.click(screen.getByRole('button', { name: 'Loading…' }));
    expect(loadMore).toHaveBeenCalledTimes(1);
    again({ sessions: rows('a', 'b'), hasMore: false, loadMore });
    expect(screen.getByText('2 conversations')).toBeTruthy();
  });

  it('has few of 10,000 rows in the page, and states the place of each', () => {
    const sessions = Array.from({ length: 10_000 }, (_none, at) => row(String(at)));
    show({ sessions });
    const items = screen.getAllByRole('listitem');
    expect(items.length).toBeLessThan(200);
    expect(items[0]?.getAttribute('aria-setsize')).toBe('10000');
    expect(items[1]?.getAttribute('aria-posinset')).toBe('2');
    fireEvent.keyDown(link('Title 0'), { key: 'End' });
    expect(focused()).toBe('Title 9999');
    fireEvent.keyDown(link('Title 9999'), { key: 'ArrowUp' });
    expect(focused()).toBe('Title 9998');
    expect(screen.getAllByRole('listitem').length).toBeLessThan(200);
  });

  it('lets a screen reader read what was deleted', async () => {
    const { container } = render(
      <Announcer session={undefined}>
        <SessionList sessions={{ sessions: rows('a'), remove: () => {} }} href={(id) => `#${id}`} />
      </Announcer>,
    );
    fireEvent.keyDown(link('Title a'), { key: 'Delete' });
    expect(container.querySelector('[aria-live]')?.textContent).toBe('“Title a” deleted');
  });

  it('is in the language of its labels', () => {
    show({ sessions: rows('a') }, { labels: chinese.sessions });
    expect(screen.getByRole('navigation', { name: '对话' })).toBeTruthy();
    expect(screen.getByText('共 1 个对话')).toBeTruthy();
  });

  it('takes what useSessions returns: renames, removes and restores in the store', async () => {
    const client = createScriptedClient(() => [reply.text('Hello.')]);
    const agent = createAgent({ client, store: createMemoryStore() });
    for (const title of ['One', 'Two']) await (await agent.openSession(agent.createSession())).send(title);
    function Stored(): ReactElement {
      return <SessionList sessions={useSessions()} href={(id) => `#${id}`} />;
    }
    render(
      <AgentProvider agent={agent}>
        <QueryClientProvider client={new QueryClient()}>
          <Stored />
        </QueryClientProvider>
      </AgentProvider>,
    );
    const person = userEvent.setup();
    focusOn(await screen.findByRole('link', { name: 'One' }));
    await person.keyboard('{F2}Three{Enter}');
    focusOn(await screen.findByRole('link', { name: 'Three' }));
    await person.keyboard('{Delete}');
    await waitFor(async () => expect((await agent.store?.list())?.sessions).toHaveLength(1));
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'Three' })).toBeTruthy();
    await waitFor(async () => expect((await agent.store?.list())?.sessions).toHaveLength(2));
  });
});
