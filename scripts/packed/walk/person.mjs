// The hands of a person at a page. They count what they do.

/** @typedef {import('playwright').Page} Page @typedef {import('playwright').Locator} Locator */

/** What a walk has taken. @typedef {{ commands: number, files: number, lines: number, clicks: number, keys: number }} Counts */

/** @returns {Counts} */
export const createCounts = () => ({ commands: 0, files: 0, lines: 0, clicks: 0, keys: 0 });

/** @param {Page} page @param {Counts} counts */
export function createPerson(page, counts) {
  /** A click into a field that the page has focused is no use. @param {Locator} field */
  async function enter(field) {
    await field.waitFor();
    if (!(await field.evaluate((element) => element === document.activeElement))) await click(field);
  }
  /** @param {Locator} control */
  async function click(control) {
    await control.click();
    counts.clicks++;
  }
  async function pressEnter() {
    await page.keyboard.press('Enter');
    counts.keys++;
  }
  return {
    click,
    /** Types a text into a field, key by key, and presses Enter. @param {Locator} field @param {string} text */
    async type(field, text) {
      await enter(field);
      await page.keyboard.type(text);
      counts.keys += text.length;
      await pressEnter();
    },
    /** Pastes a text into a field, and presses Enter. @param {Locator} field @param {string} text */
    async paste(field, text) {
      await enter(field);
      await page.keyboard.insertText(text);
      counts.keys++;
      await pressEnter();
    },
  };
}
