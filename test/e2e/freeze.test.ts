import { expect, test } from 'vitest';
import { type BarePage, startBareBrowser } from './support/bare-browser.ts';
import { eventually } from './support/eventually.ts';
import { startWire } from './support/server.ts';
import { during, setSite } from './support/stage.ts';

const rivers = 'Rivers begin small, and grow by what joins them, says the sea.';
const chunkSize = 8;

const wire = during(startWire, (its) => its.stop());
const site = setSite(new URL('support/strict-page', import.meta.url));
const browser = during(startBareBrowser, (its) => its.close());

/** Lets a page count what its timers do, and how often it is told that it is being frozen. */
const count = `
  globalThis.beats = globalThis.freezes = 0;
  setInterval(() => globalThis.beats++, 5);
  document.addEventListener('freeze', () => globalThis.freezes++);
`;
const beats = async (page: BarePage): Promise<number> => Number(await page.evaluate('beats'));

/** All events on the disk. */
const rows = (page: BarePage): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('brooklet');
    opening.addEventListener('success', () => {
      const events = opening.result.transaction('events').objectStore('events').getAll();
      events.addEventListener('success', () => (opening.result.close(), resolve(events.result)));
    });
  })`);

const status = (page: BarePage): Promise<unknown> => page.evaluate('globalThis.session?.getStatus()');
const lines = (page: BarePage): Promise<unknown> => page.evaluate('[...lines(), session.getMessages().at(-1)?.status]');

test('a tab that was frozen while another one went on shows what became of the session, and has written nothing', async () => {
  wire().mock.onMessage('rivers', { content: rivers }, { chunkSize });
  const held = wire().hold('rivers', 4);
  const half = rivers.slice(0, 3 * chunkSize);
  const url = `${site().freshURL()}?${new URLSearchParams({ baseURL: wire().baseURL })}`;
  const frozen = await browser().open(url);
  await eventually(() => status(frozen)).toBe('idle');
  await frozen.evaluate(`void session.send('Tell me of rivers.')`);
  await eventually(() => lines(frozen)).toEqual(['Tell me of rivers.', half, 'streaming']);
  const other = await browser().open(String(await frozen.evaluate('location.href')));
  await eventually(() => status(other)).toBe('running');
  await eventually(() => lines(other)).toEqual(['Tell me of rivers.', half, 'streaming']);

  for (const page of [frozen, other]) await page.evaluate(count);
  await frozen.setState('frozen');
  await eventually(() => frozen.evaluate('freezes')).toBe(1);
  const [stood, went] = [await beats(frozen), await beats(other)];
  // A person stops it in the other tab; what still comes for the frozen one is nobody's.
  await other.evaluate('session.cancel()');
  await eventually(() => status(other)).toBe('idle');
  await other.evaluate('session.flushed()');
  const stopped = ['Tell me of rivers.', half, 'interrupted'];
  expect(await lines(other)).toEqual(stopped);
  const stored = await rows(other);
  held.pass();
  await eventually(() => beats(other)).toBeGreaterThan(went + 50);
  expect(await beats(frozen)).toBe(stood);
  expect(await lines(frozen)).toEqual(['Tell me of rivers.', half, 'streaming']);
  await frozen.setState('active');

  await eventually(() => lines(frozen)).toEqual(stopped);
  await eventually(() => status(frozen)).toBe('idle');
  await eventually(() => beats(frozen)).toBeGreaterThan(stood);
  await frozen.evaluate('session.flushed()');
  expect(await rows(other)).toEqual(stored);
  expect(await lines(other)).toEqual(stopped);
});
