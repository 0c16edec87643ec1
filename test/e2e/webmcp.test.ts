import { afterEach, describe, expect, it } from 'vitest';
import { startBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { during, setSite } from './support/stage.ts';

const site = setSite(new URL('support/webmcp', import.meta.url));

describe('in a browser with WebMCP', () => {
  const browser = during(
    () => startBrowser(['--enable-features=WebMCP']),
    (its) => its.close(),
  );
  afterEach(() => closeCleanly(browser()));

  it('calls tools of frames after approval, and answers calls of the browser with checked inputs only', async () => {
    const { page } = await browser().open(site().freshURL());
    const other = new URL(site().freshURL()).origin;
    const { origin } = new URL(page.url());
    const seen = await page.evaluate((url) => globalThis.walk(url), other);
    expect(seen.isSupported).toBe(true);
    expect(
      seen.tools.toSorted((one, two) => one.origin.length - two.origin.length || one.name.localeCompare(two.name)),
    ).toEqual(
      expect.arrayContaining([
        { name: 'page_in_same', origin },
        { name: expect.stringMatching(/_localhost_\d+_\w+$/), origin: other },
      ]),
    );
    const problem = (text: string): unknown => expect.stringContaining(text);
    expect(seen.outputs).toEqual([
      ['succeeded', { sum: 3, at: expect.any(String) }],
      ['succeeded', { sum: 3, at: expect.any(String) }],
      ['invalid', problem('does not fit the schema')],
      ['dear', problem('does not fit the schema')],
      ['dear', problem('"sum":2')],
      ['dear', problem('the person declined')],
      ['free', problem('does not fit the schema')],
      ['free', problem('"sum":2')],
      ['free', problem('"sum":4')],
    ]);
    expect(seen.ran).toEqual([
      ['dear', 1, 1],
      ['free', 1, 1],
      ['free', 2, 2],
    ]);
  });
});

describe('in a browser without', () => {
  const browser = during(
    () => startBrowser(),
    (its) => its.close(),
  );

  it('does nothing', async () => {
    const { page } = await browser().open(site().freshURL());
    const seen = await page.evaluate(() => globalThis.walk('https://other.example'));
    expect(seen).toEqual({ isSupported: false, tools: [], outputs: [], ran: [] });
  });
});
