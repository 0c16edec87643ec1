import { extractTextContent } from 'brooklet';
import { expect, test } from 'vitest';
import { say, settled } from '../support/manual-client.ts';
import { textsOf } from '../support/stage.ts';
import { twoTabs } from '../support/tabs.ts';

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
