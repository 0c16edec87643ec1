import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import {
  createFileOpener,
  createReview,
  createStoreOpener,
  type LoggedSession,
  type OpenSession,
} from 'brooklet/review';
import { ReviewView, type ReviewViewProps, type ShownSession } from 'brooklet/ui';
import { StrictMode } from 'react';
import { Observable } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import { fileOf, linkedLog, recordTree } from '../../review/recorded-tree.ts';

afterEach(cleanup);

function show(props: ReviewViewProps) {
  const view = (more: Partial<ReviewViewProps> = {}) => (
    <StrictMode>
      <ReviewView keys="page" {...props} {...more} />
    </StrictMode>
  );
  const { rerender } = render(view());
  return { update: (more: Partial<ReviewViewProps>) => rerender(view(more)) };
}

/** Shows the first session of a file. */
function showFile(sessions: readonly LoggedSession[], props: Partial<ReviewViewProps> = {}) {
  const [first] = sessions;
  return show({ log: first?.events ?? [], openSession: createFileOpener(sessions), ...props });
}

const press = (key: string): void =>
  act(() => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));
const title = (): string => screen.getByRole('heading', { level: 1 }).textContent ?? '';
const click = (name: string | RegExp): void => act(() => screen.getByRole('button', { name }).click());
const path = (): readonly string[] =>
  within(screen.getByRole('navigation', { name: 'Sessions above' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent ?? '');

test('opens the session of a call from the list of calls, and returns to the same button', async () => {
  const shown: ShownSession[] = [];
  showFile(fileOf({ a: ['b'], b: [] }), { onSession: (one) => void shown.push(one) });
  expect(screen.queryByRole('navigation', { name: 'Sessions above' })).toBeNull();
  press('3');
  click('Open its session: Ask');
  expect(title()).toContain('Task b');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  expect(path()).toEqual(['Task a', 'Task b']);
  expect(shown.map(({ sessionId, review }) => [sessionId, review?.events.length])).toEqual([['b', 6]]);
  // Another session begins with its own view; the one above keeps its own.
  expect(screen.queryByRole('region', { name: 'Tool calls' })).toBeNull();
  click('Task a');
  expect(title()).toContain('Task a');
  expect(screen.getByRole('region', { name: 'Tool calls' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open its session: Ask' }));
  expect(shown.at(-1)?.sessionId).toBe('a');
});

test('opens and leaves sessions with the keys O and U, at any depth', async () => {
  const { sessions } = await recordTree(8);
  showFile(sessions.map(({ summary, events }) => ({ id: summary.id, events })));
  for (let level = 1; level <= 8; level++) {
    press('o');
    expect(title()).toContain(`Task ${level}`);
  }
  press('o');
  expect(path()).toHaveLength(9);
  for (let level = 7; level >= 0; level--) {
    press('u');
    expect(title()).toContain(`Task ${level}`);
  }
  press('u');
  expect(title()).toContain('Task 0');
});

test('opens the session of a call where the person saw the call', () => {
  showFile(fileOf({ a: ['b'], b: [] }));
  const seen = screen.getByRole('region', { name: 'What the person saw' });
  act(() => within(seen).getByRole('button', { name: 'Open its session: Ask' }).click());
  expect(title()).toContain('Task b');
  // Before the call has started there is none.
  press('u');
  press('Home');
  expect(screen.queryByRole('button', { name: 'Open its session: Ask' })).toBeNull();
  press('o');
  expect(screen.queryByRole('navigation', { name: 'Sessions above' })).toBeNull();
});

test('keeps the position in the session above', () => {
  showFile(fileOf({ a: ['b'], b: [] }), { at: 8 });
  click('Open its session: Ask');
  press('Home');
  press('u');
  expect(screen.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuetext')).toMatch(/^Event 8 of/);
});

test('says where a session is not there, with a way back', () => {
  showFile(fileOf({ a: ['gone'] }));
  press('o');
  expect(title()).toBe('This session is not here');
  expect(screen.getByText('It was removed, or the file does not contain it.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  expect(path()).toEqual(['Task a', 'This session is not here']);
  click('Back to the session above');
  expect(title()).toContain('Task a');
});

test('says why a session cannot be read, and that it is being read', async () => {
  let fail = (_thrown: unknown): void => {};
  const openSession: OpenSession = () =>
    new Observable((subscriber) => {
      fail = (thrown) => subscriber.error(thrown);
    });
  show({ log: linkedLog({ id: 'a', children: ['b'] }), openSession });
  press('o');
  expect(title()).toBe('Opening the session…');
  act(() => fail(new Error('The disk is gone.')));
  expect(screen.getByText('The disk is gone.')).toBeTruthy();
});

test.each([
  ['that names itself', { a: ['a'] }, 0],
  ['of a circle', { a: ['b'], b: ['a'] }, 1],
  ['with the id of its parent', { a: ['b'], b: ['b'] }, 1],
])('does not open a session %s below itself', (_name, links, depth) => {
  showFile(fileOf(links));
  for (let count = 0; count < 3; count++) press('o');
  press('3');
  expect(screen.queryByRole('button', { name: 'Open its session: Ask' })).toBeNull();
  expect(screen.getByText('Its session is one of those above.')).toBeTruthy();
  expect(screen.queryAllByRole('navigation', { name: 'Sessions above' })).toHaveLength(depth);
});

test('reads none of 1,000 sessions before it is opened, and lists their calls in pages', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `s${index}`);
  const opened: string[] = [];
  const file = createFileOpener([{ id: 's7', events: linkedLog({ id: 's7', children: [] }) }]);
  const openSession: OpenSession = (id) => {
    opened.push(id);
    return file(id);
  };
  show({ log: linkedLog({ id: 'root', children: ids }), at: 1, openSession });
  press('3');
  const buttons = document.querySelectorAll<HTMLButtonElement>('[data-opens]');
  expect(buttons).toHaveLength(100);
  expect(opened).toEqual([]);
  act(() => buttons[7]?.click());
  expect([title(), new Set(opened)]).toEqual([expect.stringContaining('Task s7'), new Set(['s7'])]);
});

test('shows what the whole tree has used', async () => {
  const { store, sessions } = await recordTree(3);
  const costOf = (): number => 0.2;
  show({ log: sessions[0]?.events ?? [], openSession: createStoreOpener(store), costOf });
  press('4');
  const region = await screen.findByRole('region', { name: 'All sessions below' });
  await waitFor(() => expect(region.getAttribute('aria-busy')).toBe('false'));
  const facts = Object.fromEntries(
    [...region.querySelectorAll('dt')].map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );
  // Two sessions with two answers and one with one; the root has two.
  expect(facts).toEqual({
    Sessions: '3',
    Input: '50 tokens',
    Output: '25 tokens',
    Cost: 'about $1',
    'Input and output with all below': '105 tokens',
    'Cost with all below': 'about $1.4',
  });
});

test('begins below the sessions that the path of a log names, and opens them', async () => {
  const { store, sessions } = await recordTree(2);
  show({ log: sessions[2]?.events ?? [], openSession: createStoreOpener(store) });
  await waitFor(() => expect(path()).toEqual(['Task 0', 'Task 1', 'Task 2']));
  click('Task 0');
  expect(title()).toContain('Task 0');
  expect(screen.queryByRole('navigation', { name: 'Sessions above' })).toBeNull();
  press('o');
  await waitFor(() => expect(title()).toContain('Task 1'));
  press('o');
  await waitFor(() => expect(path()).toEqual(['Task 0', 'Task 1', 'Task 2']));
});

test('says in the path that a session above is not there', () => {
  const events = linkedLog({ id: 'b', above: 'a', children: [] });
  show({ log: events, openSession: createFileOpener([{ id: 'b', events }]) });
  expect(path()).toEqual(['This session is not here', 'Task b']);
});

test('follows a session below while it runs, and keeps its notes apart', async () => {
  const root = linkedLog({ id: 'a', children: ['b'] });
  const child = linkedLog({ id: 'b', children: [] });
  let emit = (_count: number): void => {};
  const openSession: OpenSession = () =>
    new Observable((subscriber) => {
      emit = (count) => {
        const annotations = [{ id: 'n', seq: 2, text: 'On the child', at: 1 }];
        subscriber.next({ review: createReview(child.slice(0, count)), annotations, isLive: count < child.length });
      };
      emit(4);
    });
  const changes: unknown[] = [];
  const lengths: (number | undefined)[] = [];
  show({
    log: root,
    openSession,
    annotations: [{ id: 'm', seq: 2, text: 'On the root', at: 1 }],
    onAnnotate: (change, sessionId) => void changes.push([change.type, sessionId]),
    onSession: ({ review }) => void lengths.push(review?.events.length),
  });
  press('o');
  expect(screen.getByText('Live')).toBeTruthy();
  act(() => emit(child.length));
  expect(screen.queryByText('Live')).toBeNull();
  expect(lengths).toEqual([4, child.length]);
  press('7');
  expect(screen.queryByText('On the root')).toBeNull();
  expect(screen.getByText('On the child')).toBeTruthy();
  click('Delete the note on event 2');
  await waitFor(() => expect(changes).toEqual([['remove', 'b']]));
});

test('opens nothing where the page does not', () => {
  show({ log: linkedLog({ id: 'b', above: 'a', children: ['c'] }) });
  press('o');
  expect(screen.queryByRole('button', { name: 'Open its session: Ask' })).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Sessions above' })).toBeNull();
});
