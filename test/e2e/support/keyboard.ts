import type { Locator, Page } from 'playwright';

export const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** More stops than any page of Studio has. */
const most = 80;

/**
 * Returns a function that says whether the element has the focus. The page looks for the element once, and again when it has been replaced: to
 * find one by its role takes longer than the key.
 */
function watchFocus(target: Locator): () => Promise<boolean> {
  const find = () => target.first().elementHandle({ timeout: 1_000 });
  let finding = find();
  return async () => {
    const element = await finding.catch(() => null);
    const answer = await element
      ?.evaluate((its) => (its.isConnected ? its === document.activeElement : undefined))
      .catch(() => undefined);
    if (answer === undefined) finding = find();
    return answer ?? false;
  };
}

/** Presses Tab until an element has the focus. Throws when it cannot be reached. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor();
  const hasFocus = watchFocus(target);
  for (let stop = 0; stop < most; stop++) {
    if (await hasFocus()) return;
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
  const hasFocus = watchFocus(target);
  for (let stop = 0; stop < most && !(await hasFocus()); stop++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}
