import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createAgent, type JsonObject, type SessionSummary } from 'brooklet';
import type { MetadataFilter } from 'brooklet/core';
import { AgentProvider } from 'brooklet/react';
import { useSessions } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { Announcer, labelsOf, SessionList, type SessionListProps, type UndoableChange } from 'brooklet/ui';
import { type ReactElement, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

const today = new Date().setHours(0, 0, 0, 0);

function row(id: string, metadata?: JsonObject): SessionSummary {
  const counted = { status: 'idle', messageCount: 2, usage: { input: 0, output: 0 }, seq: 1 } as const;
  return { id, title: `Title ${id}`, createdAt: 0, updatedAt: today, ...counted, ...(metadata && { metadata }) };
}

type SetMetadata = (sessionId: string, change: JsonObject) => void;

/** A list that keeps what it is told in the place of a store. */
function showKept(rows: readonly SessionSummary[], props: Partial<SessionListProps> = {}) {
  const setMetadata = vi.fn<SetMetadata>();
  function Kept(): ReactElement {
    const [sessions, setSessions] = useState(rows);
    setMetadata.mockImplementation((sessionId, change) =>
      setSessions((now) =>
        now.map((one) => (one.id === sessionId ? { ...one, metadata: merge(one.metadata, change) } : one)),
      ),
    );
    return <SessionList sessions={{ sessions, setMetadata }} href={(id) => `#${id}`} {...props} />;
  }
  const { container } = render(
    <Announcer session={undefined}>
      <Kept />
    </Announcer>,
  );
  return { person: userEvent.setup(), setMetadata, container };
}

function merge(before: JsonObject | undefined, change: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
}

const titles = (): readonly string[] => screen.queryAllByRole('link').map((link) => link.textContent ?? '');
const link = (name: string): HTMLElement => screen.getByRole('link', { name: new RegExp(name) });
const focusOn = (element: HTMLElement): void => act(() => element.focus());
const field = (): HTMLElement => screen.getByRole('textbox', { name: 'Find or add a label' });
const box = (name: string): HTMLInputElement => screen.getByRole<HTMLInputElement>('checkbox', { name });
const line = (name: string): HTMLElement => screen.getByRole('menuitem', { name });
const openMenu = async (person: UserEvent, title: string): Promise<void> =>
  person.click(screen.getByRole('button', { name: `Actions for ${title}` }));

describe('labels of sessions', () => {
  it.each([
    ['none', undefined, []],
    ['texts', { labels: ['work', 'home'] }, ['work', 'home']],
    ['what a file from elsewhere has', { labels: ['work', 4, '', ' padded', 'x'.repeat(65), 'work'] }, ['work']],
    ['no list', { labels: 'work' }, []],
    [
      'too many',
      { labels: Array.from({ length: 40 }, (_none, at) => `l${at}`) },
      expect.objectContaining({ length: 32 }),
    ],
  ])('are read: %s', (_what, metadata, labels) => {
    expect(labelsOf(row('a', metadata))).toEqual(labels);
  });

  it('stand after the title: the first one, and the number of the others', () => {
    showKept([row('a', { labels: ['work', 'urgent', 'home'] }), row('b')]);
    expect(titles()).toEqual(['Title awork+2', 'Title b']);
    expect(screen.getByTitle('Labels: work, urgent, home')).toBeTruthy();
  });

  it('leave the place after the title to the page', () => {
    showKept([row('a', { labels: ['work'] })], {
      renderNote: ({ id }, usual) => (
        <>
          {usual}
          <em>of {id}</em>
        </>
      ),
    });
    expect(titles()).toEqual(['Title aworkof a']);
  });

  it('are added by the keyboard alone: menu, text, Enter; Escape returns to the row', async () => {
    const { person, setMetadata } = showKept([row('a'), row('b', { labels: ['home'] })]);
    focusOn(link('Title a'));
    await person.keyboard('{Shift>}{F10}{/Shift}l{Enter}');
    expect(screen.getByRole('dialog', { name: 'Labels of Title a' })).toBeTruthy();
    expect(document.activeElement).toBe(field());
    await person.keyboard('  big   work {Enter}');
    expect(setMetadata.mock.calls).toEqual([['a', { labels: ['big work'] }]]);
    expect(box('big work').checked).toBe(true);
    await person.keyboard('{ArrowDown}{ArrowDown} ');
    expect(setMetadata.mock.lastCall).toEqual(['a', { labels: ['big work', 'home'] }]);
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(link('Title a'));
  });

  it('take a known label for the same text in another case, and refuse nothing but an empty one', async () => {
    const { person, setMetadata } = showKept([row('a'), row('b', { labels: ['Home'] })]);
    await openMenu(person, 'Title a');
    await person.click(line('Labels…'));
    await person.keyboard('   {Enter}');
    expect(setMetadata).not.toHaveBeenCalled();
    await person.keyboard('home{Enter}');
    expect(setMetadata.mock.calls).toEqual([['a', { labels: ['Home'] }]]);
    expect(field().getAttribute('maxlength')).toBe('64');
  });

  it('do not end at the Enter of an input method', async () => {
    const { person, setMetadata } = showKept([row('a')]);
    await openMenu(person, 'Title a');
    await person.click(line('Labels…'));
    await person.keyboard('工作');
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
    expect(setMetadata).not.toHaveBeenCalled();
  });

  it('of several sessions: a box is mixed where some have the label, a press adds it to all, undo restores each', async () => {
    const { person, setMetadata } = showKept([
      row('a', { labels: ['work'] }),
      row('b'),
      row('c', { labels: ['home'] }),
    ]);
    focusOn(link('Title a'));
    await person.keyboard('{Control>}a{/Control}');
    const bar = screen.getByRole('group', { name: 'Actions for the selected conversations' });
    await person.click(within(bar).getByRole('button', { name: 'Labels…' }));
    expect(screen.getByRole('dialog', { name: 'Labels of 3 conversations' })).toBeTruthy();
    expect([box('work').checked, box('work').indeterminate]).toEqual([false, true]);
    await person.click(box('work'));
    expect(setMetadata.mock.calls).toEqual([
      ['b', { labels: ['work'] }],
      ['c', { labels: ['home', 'work'] }],
    ]);
    expect([box('work').checked, box('work').indeterminate]).toEqual([true, false]);
    expect(screen.getAllByText('Label “work” added to 2 conversations').length).toBeGreaterThan(0);
    await person.keyboard('{Escape}');
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    expect(setMetadata.mock.calls.slice(2)).toEqual([
      ['b', { labels: null }],
      ['c', { labels: ['home'] }],
    ]);
  });

  it('are at most 32 of one session, which is said', async () => {
    const labels = Array.from({ length: 32 }, (_none, at) => `label ${String(at).padStart(2, '0')}`);
    const { person, setMetadata } = showKept([row('a', { labels })]);
    await openMenu(person, 'Title a');
    await person.click(line('Labels…'));
    await person.keyboard('one more{Enter}');
    expect(setMetadata).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toBe('A conversation has at most 32 labels.');
    await person.click(box('label 00'));
    expect(setMetadata.mock.lastCall?.[1]).toEqual({ labels: labels.slice(1) });
    expect(screen.getByRole('alert').textContent).toBe('');
  });
});

describe('the archive', () => {
  it('takes one or several, says so, and gives them back: by Undo and by Ctrl+Z', async () => {
    const { person, setMetadata, container } = showKept([row('a'), row('b'), row('c')]);
    await openMenu(person, 'Title a');
    await person.click(line('Archive'));
    expect(titles()).toEqual(['Title b', 'Title c']);
    expect(document.activeElement).toBe(link('Title b'));
    expect(container.querySelector('[aria-live]')?.textContent).toContain('“Title a” archived');
    await person.keyboard('{Control>}z{/Control}');
    expect(titles()).toEqual(['Title a', 'Title b', 'Title c']);
    await person.click(box('Select Title a'));
    await person.keyboard('{Shift>}');
    await person.click(box('Select Title b'));
    await person.keyboard('{/Shift}');
    await person.click(screen.getByRole('button', { name: 'Archive' }));
    expect(titles()).toEqual(['Title c']);
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    expect(titles()).toHaveLength(3);
    expect(setMetadata.mock.lastCall).toEqual(['b', { archived: null }]);
  });

  it('reports what can be undone to the page, which says it in its place', async () => {
    const onUndoable = vi.fn<(change: UndoableChange) => void>();
    const onUndo = vi.fn<NonNullable<SessionListProps['onUndo']>>();
    const { person, setMetadata } = showKept([row('a'), row('b')], { onUndoable, onRemove: () => {}, onUndo });
    await openMenu(person, 'Title a');
    await person.click(line('Archive'));
    expect(onUndoable.mock.lastCall?.[0].text).toBe('“Title a” archived');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    act(() => onUndoable.mock.lastCall?.[0].undo());
    expect(setMetadata.mock.lastCall).toEqual(['a', { archived: null }]);
    await openMenu(person, 'Title b');
    await person.click(line('Delete'));
    expect(onUndoable.mock.lastCall?.[0].text).toBe('“Title b” deleted');
    act(() => onUndoable.mock.lastCall?.[0].undo());
    expect(onUndo.mock.lastCall?.[0].map(({ id }) => id)).toEqual(['b']);
    expect(titles()).toEqual(['Title a', 'Title b']);
  });

  it('changes many sessions a few at a time', async () => {
    let open = 0;
    let most = 0;
    const setMetadata = async (): Promise<void> => {
      most = Math.max(most, (open += 1));
      await Promise.resolve();
      open -= 1;
    };
    const sessions = Array.from({ length: 50 }, (_none, at) => row(String(at)));
    const { person } = showKept(sessions, { sessions: { sessions, setMetadata } });
    focusOn(link('Title 0'));
    await person.keyboard('{Control>}a{/Control}');
    await person.click(screen.getByRole('button', { name: 'Archive' }));
    await waitFor(() => expect(open).toBe(0));
    expect(most).toBe(8);
  });
});

describe('a click on a row', () => {
  it('selects with Shift: from the row that was opened last, or from the current one', async () => {
    const onOpen = vi.fn<() => void>();
    const { person } = showKept([row('a'), row('b'), row('c'), row('d')], { current: 'd', onOpen });
    await person.keyboard('{Shift>}');
    await person.click(link('Title c'));
    await person.keyboard('{/Shift}');
    expect(screen.getByText('2 selected')).toBeTruthy();
    await person.keyboard('{Escape}');
    await person.click(link('Title a'));
    await person.keyboard('{Shift>}');
    await person.click(link('Title c'));
    await person.keyboard('{/Shift}');
    expect(screen.getByText('3 selected')).toBeTruthy();
    expect(onOpen).toHaveBeenCalledTimes(1);
  });

  it('selects with Ctrl while rows are selected, and is the browser’s else', async () => {
    const { person } = showKept([row('a'), row('b')]);
    const click = (name: string): boolean => fireEvent.click(link(name), { ctrlKey: true });
    expect(click('Title a')).toBe(true);
    expect(screen.queryByText('1 selected')).toBeNull();
    await person.click(box('Select Title a'));
    expect(click('Title b')).toBe(false);
    expect(screen.getByText('2 selected')).toBeTruthy();
    expect(click('Title b')).toBe(false);
    expect(screen.getByText('1 selected')).toBeTruthy();
  });
});

describe('the filters of a list', () => {
  it('choose all sessions, those with a label, or the archive, in the store', async () => {
    const agent = createAgent({
      client: createScriptedClient(() => [reply.text('Hello.')]),
      store: createMemoryStore(),
    });
    const metadata: readonly (JsonObject | undefined)[] = [{ labels: ['work', 'home'] }, { archived: true }, undefined];
    for (const [at, own] of metadata.entries())
      await (await agent.openSession(agent.createSession(own && { metadata: own }))).send(`Title ${at}`);
    function Filtered(): ReactElement {
      const [where, setWhere] = useState<MetadataFilter>({ archived: { not: true } });
      const list = useSessions({ where });
      return <SessionList sessions={list} href={(id) => `#${id}`} where={where} onWhere={setWhere} searchKey="/" />;
    }
    render(
      <AgentProvider agent={agent}>
        <QueryClientProvider client={new QueryClient()}>
          <Filtered />
        </QueryClientProvider>
      </AgentProvider>,
    );
    const person = userEvent.setup();
    const filters = within(screen.getByRole('group', { name: 'Which conversations' }));
    await waitFor(() => expect(titles()).toEqual(['Title 2', 'Title 0work+1']));
    await person.click(filters.getByRole('button', { name: 'work' }));
    await waitFor(() => expect(titles()).toEqual(['Title 0home']));
    expect(filters.getByRole('button', { name: 'work' }).getAttribute('aria-pressed')).toBe('true');
    await person.click(filters.getByRole('button', { name: 'Archive' }));
    // Not behind a heading: the list is that of the archive.
    await waitFor(() => expect(titles()).toEqual(['Title 1']));
    // What is filtered out stays a filter.
    expect(filters.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'All',
      'home',
      'work',
      'Archive',
    ]);
    await person.click(filters.getByRole('button', { name: 'All' }));
    await waitFor(() => expect(titles()).toHaveLength(2));
  });

  it('has a search field with the key of the page, and says how many were found', async () => {
    const found = showKept([row('a'), row('b')], { search: 'Title', onSearch: () => {}, searchKey: '/' });
    expect(screen.getByRole('searchbox').getAttribute('aria-keyshortcuts')).toBe('/');
    expect(screen.getByRole('status').textContent).toBe('2 found');
    expect(found.container.querySelector('kbd')).toBeNull();
  });
});
