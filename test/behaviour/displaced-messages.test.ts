import { type AgentSession, extractTextContent } from 'brooklet';
import { expect, test } from 'vitest';
import { toSummary } from '../../src/core/model/summary.ts';
import { fold, stamp, userMessage } from '../support/events.ts';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { textsOf } from '../support/stage.ts';
import { createBrowser, twoTabs } from '../support/tabs.ts';

/** One session in two tabs; each read of the first tab takes this many microtasks longer. */
const slowTabs = (turnsPerRead: number) =>
  twoTabs({
    spoil: (store) => ({
      ...store,
      async read(...args) {
        const stored = await store.read(...args);
        for (let turn = 0; turn < turnsPerRead; turn++) await Promise.resolve();
        return stored;
      },
    }),
  });

const queuedIn = (session: AgentSession): readonly string[] =>
  session.getState().queue.map(({ message }) => extractTextContent(message));

test('a sent message whose write was refused is never missing from a session that is reported as saved', async () => {
  for (const turnsPerRead of [0, 1, 5, 20]) {
    const { a, b, one } = await slowTabs(turnsPerRead);
    b.addMessage({ role: 'user', content: 'from b' });
    const sent = a.send('from a');
    const missing: number[] = [];
    for (let turn = 0; turn < 200; turn++) {
      if (a.getStorage().state === 'saved' && !textsOf(a).includes('from a')) missing.push(turn);
      await Promise.resolve();
    }
    expect(missing, `${turnsPerRead} turns per read`).toEqual([]);
    await settled();
    say(one.last(), 're: a');
    expect((await sent).outcome).toBe('completed');
    await settled();
    expect([textsOf(a), textsOf(b)]).toEqual([
      ['from b', 'from a', 're: a'],
      ['from b', 'from a', 're: a'],
    ]);
  }
});

test('views do not see the session without a message that is sent again at once', async () => {
  const { a, b } = await slowTabs(5);
  b.addMessage({ role: 'user', content: 'from b' });
  void a.send('from a');
  const seen: string[][] = [];
  a.messages$.subscribe((messages) => seen.push(messages.map((message) => extractTextContent(message))));
  await settled();
  await settled();
  expect(textsOf(a)).toContain('from b');
  expect(seen.filter((said) => !said.includes('from a'))).toEqual([]);
});

test('a session is not reported as saved while a refused message waits for the end of a run elsewhere', async () => {
  const { a, b, one, other } = await slowTabs(5);
  const elsewhere = b.send('from b');
  const sent = a.send('from a');
  a.addMessage({ role: 'user', content: 'a note' });
  await settled();
  await settled();
  expect([b.getStatus(), textsOf(a)]).toEqual(['running', ['from b', '']]);
  expect(a.getStorage().state).toBe('saving');
  say(other.last(), 're: b');
  expect((await elsewhere).outcome).toBe('completed');
  await settled();
  say(one.last(), 're: a');
  expect((await sent).outcome).toBe('completed');
  await settled();
  expect(a.getStorage().state).toBe('saved');
  expect(textsOf(b)).toEqual(textsOf(a));
  expect(textsOf(a).toSorted()).toEqual(['a note', 'from a', 'from b', 're: a', 're: b']);
});

test('a message that was sent with options of its own is sent again with these options', async () => {
  const { a, b, one } = await slowTabs(5);
  b.addMessage({ role: 'user', content: 'from b' });
  void a.send('from a', { model: 'careful', temperature: 0.1 });
  await settled();
  await settled();
  expect(one.last().request).toMatchObject({ model: 'careful', temperature: 0.1 });
});

test('a message that is queued just when the other tab queues one is queued again above it', async () => {
  const { a, b, other, second } = await twoTabs();
  void b.send('one');
  await settled();
  other.last().chunks.next({ type: 'text', text: 're: ' });
  second.ports.pass(100);
  void b.send('from b', { whenBusy: 'queue' });
  void a.send('from a', { whenBusy: 'queue' });
  await settled();
  expect([a, b].map(queuedIn)).toEqual([
    ['from b', 'from a'],
    ['from b', 'from a'],
  ]);
});

test('a session is reported as saved during a run elsewhere when nothing waits for its end', async () => {
  const { a, b } = await twoTabs();
  void b.send('from b');
  a.rename('Otters');
  await settled();
  expect([a.getStatus(), a.getStorage().state, b.getState().title]).toEqual(['running', 'saved', 'Otters']);
});

/** Two tabs on a session in which nothing runs and a message is in the queue, as a tab leaves it that dies between two runs. */
async function tabsWithQueue() {
  const browser = createBrowser();
  const events = stamp([
    { type: 'session.started', sessionId: 's' },
    { type: 'message.queued', message: userMessage('two'), mode: 'queue' },
  ]);
  const summary = toSummary(fold(events));
  await browser.store.write({ sessionId: 's', events, summary, expectedSeq: 0, durability: 'relaxed' });
  const [one, other] = [createManualClient(), createManualClient()];
  const [first, second] = [browser.open({ client: one }), browser.open({ client: other })];
  return { one, other, a: await first.agent.openSession('s'), b: await second.agent.openSession('s') };
}

test('a message that has left the queue in a refused write only is in the queue, and answered in its turn', async () => {
  const { a, b, one, other } = await tabsWithQueue();
  const elsewhere = b.send('from b');
  const resumed = a.resume();
  await settled();
  expect([a.getStatus(), queuedIn(a)]).toEqual(['running', ['two']]);
  b.cancel();
  expect((await elsewhere).outcome).toBe('cancelled');
  await settled();
  // After a run that was stopped, the queue waits for a person.
  expect([textsOf(a), queuedIn(a)]).toEqual([['from b'], ['two']]);
  void b.resume();
  await settled();
  say(other.last(), 're: b');
  await settled();
  say(other.last(), 're: two');
  expect(await resumed).toMatchObject({ outcome: 'completed', message: { content: [{ text: 're: two' }] } });
  await settled();
  expect(textsOf(a)).toEqual(['from b', 're: b', 'two', 're: two']);
  expect(one.asked).toHaveLength(0);
});

test('of two tabs that answer a message from the queue at once, the later one is told that another tab was first', async () => {
  const { a, b, one, other } = await tabsWithQueue();
  const resumed = [a.resume(), b.resume()];
  await settled();
  expect([one.asked.length, other.asked.length]).toEqual([1, 0]);
  say(one.last(), 're: two');
  expect(await Promise.all(resumed)).toMatchObject([
    { outcome: 'completed' },
    { outcome: 'failed', error: { code: 'STORAGE_CONFLICT' } },
  ]);
  await settled();
  expect([textsOf(a), queuedIn(a)]).toEqual([['two', 're: two'], []]);
  expect(b.getState()).toEqual(a.getState());
});

test('an edited message whose write was refused is edited again: the version before stays beside it', async () => {
  const { a, b, one } = await slowTabs(5);
  void a.send('Hello');
  await settled();
  say(one.last(), 'Hi');
  await settled();
  const [{ id } = expect.unreachable()] = a.getMessages();
  // Loads the code of the verb, so that the edit is appended before the tab hears of the message of the other tab.
  await a.selectAlternative(id, 0);
  b.addMessage({ role: 'user', content: 'from b' });
  const edited = a.edit(id, 'Hello again');
  await settled();
  await settled();
  expect(one.asked).toHaveLength(2);
  say(one.last(), 'Hi again');
  expect((await edited).outcome).toBe('completed');
  await settled();
  expect(textsOf(a)).toEqual(['Hello again', 'Hi again']);
  const [shown = expect.unreachable()] = a.getMessages();
  expect(a.alternatives(shown.id)).toEqual({ ids: [id, shown.id], index: 1, count: 2 });
  expect(b.getState()).toEqual(a.getState());
});

test('of two tabs that regenerate at once, the later one is told that another tab was first', async () => {
  const { a, b, one, other } = await twoTabs();
  void a.send('Hello');
  await settled();
  say(one.last(), 'Hi');
  await settled();
  const results = [a.regenerate(), b.regenerate()];
  await settled();
  expect([one.asked.length, other.asked.length]).toEqual([2, 0]);
  say(one.last(), 'Hi again');
  expect(await Promise.all(results)).toMatchObject([
    { outcome: 'completed' },
    { outcome: 'failed', error: { code: 'STORAGE_CONFLICT' } },
  ]);
  await settled();
  expect(textsOf(b)).toEqual(['Hello', 'Hi again']);
});

test('a session that is closed takes none of the messages that waited for the end of a run elsewhere', async () => {
  const { a, b, other } = await twoTabs();
  const elsewhere = b.send('from b');
  const sent = a.send('from a');
  a.addMessage({ role: 'user', content: 'a note' });
  await settled();
  await a.close();
  expect((await sent).outcome).toBe('cancelled');
  await settled();
  expect(textsOf(a)).toEqual(['from b', '']);
  say(other.last(), 're: b');
  expect((await elsewhere).outcome).toBe('completed');
  expect(textsOf(b)).toEqual(['from b', 're: b']);
});

test('a session that is closed listens to its page no more', async () => {
  const browser = createBrowser();
  const ports = createManualPorts();
  let listeners = 0;
  const onHide: typeof ports.onHide = (callback) => {
    listeners++;
    const stop = ports.onHide(callback);
    return () => {
      listeners--;
      stop();
    };
  };
  const { agent } = browser.open({ client: createManualClient(), ports: { ...ports, onHide } });
  const before = listeners;
  const session = await agent.openSession(agent.createSession());
  expect(listeners).toBeGreaterThan(before);
  await session.close();
  expect(listeners).toBe(before);
});
