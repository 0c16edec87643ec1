import type { Page } from 'playwright';
import { roomsEn } from '../../../demo/src/texts/en/rooms.ts';
import { eventually } from './eventually.ts';
import { button, composer, openSettings, sections } from './studio.ts';

const { keys, encryption: words } = roomsEn;

export const passphrase = 'correct horse battery';

/** Types the passphrase into the field that has the focus. */
export async function unlock(page: Page, its = passphrase): Promise<void> {
  await page.getByRole('heading', { name: words.lockedTitle }).waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('password');
  await page.keyboard.type(its);
  await page.keyboard.press('Enter');
  await composer(page).waitFor({ timeout: 30_000 });
}

/** Chooses a passphrase, and encrypts what is stored. */
export async function encrypt(page: Page): Promise<void> {
  await composer(page).waitFor();
  await openSettings(page, sections.storage);
  await button(page, words.setPassphrase).click();
  await page.getByRole('radio', { name: keys.encrypted }).check();
  await page.getByLabel(keys.newPassphrase).fill(passphrase);
  await page.getByLabel(keys.repeat).fill(passphrase);
  await button(page, keys.protect).click();
  await button(page, keys.lockNow).waitFor();
  await page.getByRole('tab').nth(sections.storage).click();
  await button(page, words.encrypt).click();
  await unlock(page);
}
