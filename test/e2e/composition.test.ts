import { afterEach, expect, test } from 'vitest';
import { startFrugalBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { during, setSite } from './support/stage.ts';
import { composer, textOf } from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

test('a composition of the browser is confirmed by Enter, and sent by the next Enter', async () => {
  const { page } = await browser().open(site().freshURL());
  const cdp = await browser().context.newCDPSession(page);
  await composer(page).focus();
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    for (const type of ['compositionstart', 'keydown', 'compositionend'])
      addEventListener(type, (event) => {
        seen.push(event instanceof KeyboardEvent ? `${type} ${event.key} ${String(event.isComposing)}` : type);
      });
  });
  await cdp.send('Input.imeSetComposition', { text: 'xiexie', selectionStart: 6, selectionEnd: 6 });
  await cdp.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  });
  await cdp.send('Input.insertText', { text: '谢谢！' });
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 });
  expect(await page.evaluate(() => Reflect.get(globalThis, 'seen') as unknown)).toEqual([
    'compositionstart',
    'keydown Enter true',
    'compositionend',
  ]);
  expect(await composer(page).inputValue()).toBe('谢谢！');
  expect(page.url()).not.toContain('#/s/');
  await page.keyboard.press('Enter');
  await eventually(() => textOf(page)).toContain('谢谢！');
  expect(await composer(page).inputValue()).toBe('');
});
