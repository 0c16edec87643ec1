import { english as chat } from 'brooklet/ui';
import type { Page } from 'playwright';
import { en } from '../../../demo/src/texts/en/en.ts';
import { roomsEn } from '../../../demo/src/texts/en/rooms.ts';
import { canary } from './canary.ts';
import { eventually } from './eventually.ts';
import { button, composer, dialogClosed, fillService, openSettings, sections } from './studio.ts';

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

/** Connects to a service with a key that a passphrase protects. */
export async function connectProtected(page: Page, baseURL: string): Promise<void> {
  await openSettings(page, sections.model);
  await fillService(page, { baseURL, key: canary });
  await page.getByRole('radio', { name: chat.key.device }).check();
  await page.getByLabel(chat.key.newPassphrase).fill(passphrase);
  await page.getByLabel(chat.key.repeat).fill(passphrase);
  await button(page, roomsEn.settings.connect).click();
  await dialogClosed(page);
}

/** Unlocks the keys by the button beside the field of the message. */
export async function unlockBesideField(page: Page): Promise<void> {
  await page.getByText(en.composer.keysLocked).waitFor();
  await button(page, en.composer.unlock).click();
  await page.getByLabel(chat.key.passphrase).fill(passphrase);
  await page.keyboard.press('Enter');
  await dialogClosed(page);
}
