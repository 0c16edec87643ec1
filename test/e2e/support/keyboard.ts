import type { Locator, Page } from 'playwright';

/** More stops than any page of Studio has. */
const most = 80;

const hasFocus = (target: Locator): Promise<boolean> =>
  target
    .first()
    .evaluate((element) => element === document.activeElement)
    .catch(() => false);

/** Presses Tab until an element has the focus. Throws when it cannot be reached. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor();
  for (let stop = 0; stop < most; stop++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach ${String(target)}.`);
}

/** Reaches an element by Tab, and presses a key on it. */
export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Chooses a line of the open menu with the arrow keys. */
export async function chooseLine(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < most && !(await hasFocus(target)); stop++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}
