import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { type Chat, chatOn } from './support/chat.ts';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';

const rivers = 'Rivers begin small, and grow by what joins them, says the sea.';

const stage = setStage(new URL('support/page', import.meta.url));

async function open(url: string): Promise<Chat> {
  return chatOn(await stage.browser.open(url));
}

/** Asks and gets the whole answer. */
async function converse(chat: Chat): Promise<void> {
  stage.wire.mock.onMessage('rivers', { content: rivers });
  await chat.say('Tell me of rivers.');
  await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
  await eventually(() => chat.says('Status')).toBe('idle');
}

/** Changes a row by hand, as a person can with the developer tools. */
function spoilFirstEvent(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('brooklet');
        opening.addEventListener('error', () => reject(opening.error ?? new Error('It does not open.')));
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('events', 'readwrite');
          const cursor = transaction.objectStore('events').openCursor();
          cursor.addEventListener('success', () => cursor.result?.update({ type: 7, seq: 'one' }));
          transaction.addEventListener('complete', () => (opening.result.close(), resolve()));
        });
      }),
  );
}

describe('in a browser in which something goes wrong', () => {
  it('a page whose IndexedDB is missing chats all the same, and its sessions go with it', async () => {
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

  it('a row that somebody has spoiled costs its own session only', async () => {
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

  it('a tab with an older version makes way for an upgrade, keeps what it shows, and stores nothing any more', async () => {
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
});
