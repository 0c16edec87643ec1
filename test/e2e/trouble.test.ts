import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../support/llm-cuts.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { type Chat, chatOn } from './support/chat.ts';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';

const rivers = 'Rivers begin small, and grow by what joins them, says the sea.';

const stage = setStage(new URL('support/page', import.meta.url), { start: startFrugalBrowser });

async function open(url: string): Promise<Chat> {
  return chatOn(await stage.browser.open(url));
}

/** Sends a message and receives the whole answer. */
async function converse(chat: Chat): Promise<void> {
  stage.wire.mock.onMessage('rivers', { content: rivers });
  await chat.say('Tell me of rivers.');
  await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
  await eventually(() => chat.says('Status')).toBe('idle');
}

/** Changes a row by hand, like a person with the developer tools. */
function spoilFirstEvent(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('brooklet');
        opening.addEventListener('error', () => reject(opening.error ?? new Error('It does not open.')));
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('events', 'readwrite');
          const cursor = transaction.objectStore('events').openCursor();
          cursor.addEventListener('success', () => {
            // The events of a completed run are in one row.
            const row: unknown = cursor.result?.value;
            const [, ...others]: readonly unknown[] = Array.isArray(row) ? row : [row];
            cursor.result?.update([{ type: 7, seq: 'one' }, ...others]);
          });
          transaction.addEventListener('complete', () => (opening.result.close(), resolve()));
        });
      }),
  );
}

/**
 * Keeps a connection to a database of the first version open, with a session in it, and ignores version changes.
 * Creates the database like the first version did; never edited. Runs in the page.
 */
function openFirstVersion(): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('brooklet', 1);
    opening.addEventListener('upgradeneeded', () => {
      const { result: db } = opening;
      const sessions = db.createObjectStore('sessions', { keyPath: ['id', 'seq'] });
      sessions.createIndex('id', 'id', { unique: true });
      sessions.createIndex('updated', ['updatedAt', 'id']);
      for (const table of ['events', 'blobs', 'meta']) db.createObjectStore(table);
    });
    opening.addEventListener('error', () => reject(opening.error ?? new Error('It does not open.')));
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction(['sessions', 'events'], 'readwrite');
      const content = [{ type: 'text', text: 'Tell me of old times.' }];
      const message = { id: 'm', role: 'user', content, timestamp: 2 };
      const [title, counts] = ['Tell me of old times.', { messageCount: 1, usage: { input: 0, output: 0 } }];
      transaction
        .objectStore('sessions')
        .add({ id: 'a', seq: 2, title, createdAt: 1, updatedAt: 2, status: 'idle', ...counts });
      const events = transaction.objectStore('events');
      events.add({ type: 'session.started', sessionId: 'a', seq: 1, at: 1, v: 1 }, ['a', 1]);
      events.add({ type: 'message.added', message, seq: 2, at: 2, v: 1 }, ['a', 2]);
      transaction.addEventListener('complete', () => resolve());
    });
  });
}

describe('in a browser with storage problems', () => {
  it('a page without IndexedDB can chat, and its sessions end with the page', async () => {
    const tab = await stage.browser.open('about:blank');
    await tab.page.addInitScript(() => Reflect.deleteProperty(globalThis, 'indexedDB'));
    await tab.page.addInitScript(() => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }));
    const url = stage.freshURL();
    await tab.page.goto(url);
    const chat = chatOn(tab);
    await converse(chat);
    await eventually(chat.sessions).toEqual(['Tell me of rivers. idle']);
    await tab.page.goto(url);
    await eventually(chat.sessions).toEqual([]);
    expect(tab.problems()).toEqual([]);
  });

  it('a row that was corrupted affects its own session only', async () => {
    const url = stage.freshURL();
    const first = await open(url);
    await converse(first);
    await spoilFirstEvent(first.tab.page);

    const second = await open(url);
    stage.wire.mock.onMessage('clouds', { content: 'Clouds wander.' });
    await second.say('Tell me of clouds.');
    await eventually(second.log).toEqual(['user: Tell me of clouds.', 'assistant complete: Clouds wander.']);
    await second.click('Tell me of rivers.');
    await eventually(() => second.says('Storage')).toBe('read-only');
    await eventually(second.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
    await second.click('Tell me of clouds.');
    await eventually(second.log).toEqual(['user: Tell me of clouds.', 'assistant complete: Clouds wander.']);
  });

  it('a tab with an older version closes its connection for an upgrade, keeps its messages visible, and stores nothing more', async () => {
    const old = await open(stage.freshURL());
    await converse(old);
    const { page } = old.tab;
    const version = await page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open('brooklet', 1_000);
          opening.addEventListener('blocked', () => reject(new Error('The old tab does not make way.')));
          opening.addEventListener('success', () => (resolve(opening.result.version), opening.result.close()));
        }),
    );
    expect(version).toBe(1_000);
    stage.wire.mock.onMessage('clouds', { content: 'Clouds wander.' });
    await old.say('And of clouds.');
    await eventually(() => old.says('Status')).toBe('idle');
    expect((await old.log()).slice(0, 2)).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
    await eventually(() => old.says('Storage')).toBe('failed');
  });

  it('a tab with a newer version reports the blocking tab, continues in memory, and has everything once the older tab is closed', async () => {
    const url = stage.freshURL();
    const old = await stage.browser.open('about:blank');
    const blank = new URL('/older', url).href;
    await old.page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Older</title>' }));
    await old.page.goto(blank);
    await old.page.evaluate(openFirstVersion);

    const chat = await open(url);
    await eventually(chat.troubles).toEqual(['STORAGE_BLOCKED']);
    stage.wire.mock.onMessage('rivers', { content: rivers });
    await chat.say('Tell me of rivers.');
    const answered = ['user: Tell me of rivers.', `assistant complete: ${rivers}`];
    await eventually(chat.log).toEqual(answered);
    await eventually(() => chat.says('Storage error')).toBe('STORAGE_BLOCKED');
    expect(await chat.says('Storage')).toBe('failed');

    await old.page.close();
    await eventually(() => chat.says('Storage')).toBe('saved');
    await eventually(chat.sessions).toEqual(['Tell me of rivers. idle', 'Tell me of old times. idle']);
    await chat.tab.page.reload();
    await eventually(chat.log).toEqual(answered);
    await chat.click('Tell me of old times.');
    await eventually(chat.log).toEqual(['user: Tell me of old times.']);
  }, 120_000);

  it('a page that runs out of space reports the error, shows everything, starts no tool, and stores the rest once there is space', async () => {
    const tab = await stage.browser.open('about:blank');
    const chat = chatOn(tab);
    const url = stage.freshURL();
    const cdp = await stage.browser.context.newCDPSession(tab.page);
    const limit = (quotaSize?: number) =>
      cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin, ...(quotaSize && { quotaSize }) });
    // The browser reads the quota when it starts to serve an origin, and rarely afterwards.
    await limit(500_000);
    await tab.page.goto(url);
    await converse(chat);
    await eventually(() => chat.says('Storage')).toBe('saved');

    // Browsers compress stored data, so the data must be incompressible.
    const random = createRandom(1);
    const flood = Array.from({ length: 100_000 }, () => random().toString(36).slice(2, 12).padEnd(10, '.')).join('');
    stage.wire.mock.onMessage('floods', { content: flood }, { chunkSize: 25_000 });
    const held = stage.wire.hold('floods', 2);
    await chat.say('Tell me of floods.');
    await eventually(chat.log).toContain(`assistant streaming: ${flood.slice(0, 25_000)}`);
    await eventually(() => chat.says('Storage')).toBe('saved');
    held.pass(37);
    await eventually(() => chat.says('Storage error')).toBe('QUOTA_EXCEEDED');
    expect(await chat.says('Storage')).toBe('failed');
    expect(await chat.says('Status')).toBe('running');
    held.pass();
    const said = ['user: Tell me of floods.', `assistant complete: ${flood}`];
    await eventually(async () => (await chat.log()).slice(2)).toEqual(said);
    await eventually(() => chat.says('Status')).toBe('idle');
    expect(await chat.says('Storage')).toBe('failed');

    // The acknowledged events are stored, including the part of the answer that was acknowledged.
    const other = await open(url + (await tab.page.evaluate(() => location.hash)));
    await eventually(async () => (await other.log()).length).toBe(4);
    const [question, answer, next, half] = await other.log();
    expect([question, answer, next]).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`, said[0]]);
    expect(half?.length).toBeGreaterThan(25_000);
    expect(`: ${flood}`).toContain(half?.replace(/^assistant \w+/, ''));

    stage.wire.mock
      .on({ userMessage: 'sum', hasToolResult: false }, { toolCalls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] })
      .on({ userMessage: 'sum', hasToolResult: true }, { content: 'Five.' });
    await chat.say('What is the sum?');
    await eventually(async () => (await chat.log()).at(-1)).toContain(
      'Not run: the start of the call could not be stored.',
    );
    await eventually(() => chat.says('Status')).toBe('failed');
    expect(await chat.says('Error code')).toBe('QUOTA_EXCEEDED');

    await limit();
    // The page retries by itself, after half a minute at most; a new message retries at once.
    await chat.click('Resume');
    await eventually(() => chat.says('Status')).toBe('idle');
    await eventually(() => chat.says('Storage')).toBe('saved');
    expect(await chat.done()).toEqual([]);
    const whole = await chat.log();
    expect(whole.slice(2, 4)).toEqual(said);
    expect(whole.at(-1)).toContain('Five.');
    await eventually(other.log).toEqual(whole);
    await tab.page.reload();
    await eventually(chat.log).toEqual(whole);
    expect(await chat.done()).toEqual([]);
  }, 120_000);
});
