import { type AgentError, extractTextContent, type AgentSession, type SessionEvent, type SessionStore } from 'brooklet';
import { exportSession, importSessions } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { createFaultyStore, type FaultyStore } from '../support/faulty-store.ts';
import { say, settled } from '../support/manual-client.ts';
import { createGate } from '../support/gate.ts';
import { twoTabs } from '../support/tabs.ts';

const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));

/** Two tabs on one session; the store of the first one can be made to fail. */
async function stage() {
  let faulty: FaultyStore | undefined;
  const spoil = (store: SessionStore): SessionStore => (faulty = createFaultyStore(store)).store;
  const its = await twoTabs({ spoil });
  return { ...its, faulty: faulty ?? expect.unreachable('The store is not wrapped.') };
}

describe('a write whose answer was lost', () => {
  test('is stored once, and the run that it is part of goes on in its tab', async () => {
    const { a, b, one, first, browser, id, faulty } = await stage();
    const sent = a.send('Hello');
    await settled();
    faulty.arm(['lied']);
    one.last().chunks.next({ type: 'text', text: 'First ' });
    first.ports.pass(100);
    await settled();
    one.last().chunks.next({ type: 'text', text: 'and second.' });
    first.ports.pass(1_000);
    await settled();
    expect([a.getStatus(), one.last().aborted]).toEqual(['running', false]);
    say(one.last(), ' The end.');
    expect((await sent).outcome).toBe('completed');
    await a.flushed();
    await settled();
    expect(texts(a)).toEqual(['Hello', 'First and second. The end.']);
    expect(b.getState()).toEqual(a.getState());
    const stored = (await browser.store.read(id))?.events ?? [];
    expect(stored.map(({ seq, since }) => since ?? seq)).toEqual(
      stored.map((_event, index) => (stored[index - 1]?.seq ?? 0) + 1),
    );
    expect(stored.filter(({ type }) => type === 'run.started')).toHaveLength(1);
  });

  test('is found again also where the write that was repeated with more events was refused, too', async () => {
    const { a, first, faulty } = await stage();
    faulty.arm(['lied', 'refused', 'refused']);
    a.rename('one');
    await settled();
    for (const title of ['two', 'three', 'four']) {
      a.rename(title);
      first.ports.pass(10_000);
      await settled();
    }
    await a.flushed();
    expect([a.getStorage().state, a.getState().title]).toEqual(['saved', 'four']);
  });
});

describe('a write whose answer was lost, and above which another tab has written,', () => {
  const typesIn = async ({ browser, id }: Awaited<ReturnType<typeof stage>>, type: SessionEvent['type']) =>
    ((await browser.store.read(id))?.events ?? []).filter((event) => event.type === type);

  test('is not stored again: a message', async () => {
    const its = await stage();
    const { a, b, first, faulty } = its;
    faulty.arm(['lied']);
    a.addMessage({ role: 'user', content: 'once' });
    await settled();
    expect(a.getStorage().state).toBe('failed');
    b.addMessage({ role: 'user', content: 'from b' });
    await settled();
    first.ports.pass(60_000);
    await settled();
    expect([texts(a), texts(b)]).toEqual([
      ['once', 'from b'],
      ['once', 'from b'],
    ]);
    expect(await typesIn(its, 'message.added')).toHaveLength(2);
    expect(a.getStorage().state).toBe('saved');
  });

  test('is not stored again: a message in the queue', async () => {
    const its = await stage();
    const { a, b, other, first, second, faulty } = its;
    void b.send('one');
    await settled();
    faulty.arm(['lied']);
    const sent = a.send('two', { whenBusy: 'queue' });
    await settled();
    other.last().chunks.next({ type: 'text', text: 're: ' });
    second.ports.pass(100);
    await settled();
    first.ports.pass(60_000);
    await settled();
    expect(await typesIn(its, 'message.queued')).toHaveLength(1);
    for (const answer of ['one', 're: two']) {
      say(other.last(), answer);
      await settled();
    }
    expect(await sent).toMatchObject({ outcome: 'completed', message: { content: [{ text: 're: two' }] } });
    expect(texts(a)).toEqual(['one', 're: one', 'two', 're: two']);
    expect(b.getState()).toEqual(a.getState());
  });

  test('is not answered again: a message that has left the queue', async () => {
    const { a, b, one, other, first, faulty } = await stage();
    void b.send('one');
    await settled();
    faulty.arm(['lied']);
    const sent = a.send('two', { whenBusy: 'queue' });
    await settled();
    for (const answer of ['re: one', 're: two']) {
      say(other.last(), answer);
      await settled();
    }
    first.ports.pass(60_000);
    await settled();
    expect(await sent).toMatchObject({ outcome: 'completed', message: { content: [{ text: 're: two' }] } });
    expect([one.asked.length, other.asked.length]).toEqual([0, 2]);
    expect([texts(a), a.getState().queue]).toEqual([['one', 're: one', 'two', 're: two'], []]);
    expect(b.getState()).toEqual(a.getState());
  });
});

describe('a write that builds on a refused one', () => {
  test('is refused although another tab has stored just as many events', async () => {
    const gate = createGate();
    const outcomes: Promise<string>[] = [];
    let isSlow = false;
    const spoil = (store: SessionStore): SessionStore => ({
      ...store,
      write(write) {
        if (!isSlow) return store.write(write);
        const written = gate.opened.then(() => store.write(write));
        outcomes.push(written.then(() => 'stored').catch(({ code }: AgentError) => code));
        return written;
      },
    });
    const { a, b, first, browser, id } = await twoTabs({ spoil });
    isSlow = true;
    a.rename('one');
    await settled();
    a.addMessage({ role: 'user', content: 'two' });
    // The second write begins beside the first one.
    first.ports.hide();
    b.addMessage({ role: 'user', content: 'from b' });
    await settled();
    gate.open();
    isSlow = false;
    expect(await Promise.all(outcomes)).toEqual(['STORAGE_CONFLICT', 'STORAGE_CONFLICT']);
    await settled();
    first.ports.pass(1_000);
    await settled();
    expect([a.getState().title, texts(a)]).toEqual(['one', ['from b', 'two']]);
    expect(b.getState()).toEqual(a.getState());
    const stored = (await browser.store.read(id))?.events ?? [];
    expect(stored.filter(({ type }) => type === 'session.renamed')).toHaveLength(1);
  });
});

describe('a log whose past was replaced', () => {
  test.each([1, 3])('is read as a whole, also where the new one is longer by %i', async (more) => {
    const { a, b, browser, id } = await stage();
    a.addMessage({ role: 'user', content: 'old' });
    await a.flushed();
    await settled();
    const stored = (await browser.store.read(id)) ?? expect.unreachable('Nothing is stored.');
    const [begin] = stored.events;
    const end = stored.events.at(-1);
    if (begin === undefined || end?.type !== 'message.added') throw new Error('The log is another one.');
    const added = Array.from({ length: more + 1 }, (_, index) => ({
      ...end,
      seq: 2 + index,
      message: { ...end.message, id: `new${index}`, content: [{ type: 'text' as const, text: `new ${index}` }] },
    }));
    const file = exportSession({ ...stored, events: [begin, ...added] });
    const report = await importSessions(browser.store, file, { onConflict: 'replace' });
    expect(report.problems).toEqual([]);
    await settled();
    const shown = added.map((_event, index) => `new ${index}`);
    expect([texts(a), texts(b)]).toEqual([shown, shown]);
    a.addMessage({ role: 'user', content: 'and on' });
    await a.flushed();
    await settled();
    expect(texts(b)).toEqual([...shown, 'and on']);
  });
});
