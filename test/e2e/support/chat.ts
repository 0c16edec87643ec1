import type { Tab } from './browser.ts';

/** The page of `page/`, used like a person would. */
export interface Chat {
  readonly tab: Tab;
  say(text: string): Promise<void>;
  click(button: string): Promise<void>;
  /** One line for each message: `user: …`, `assistant streaming: …`. */
  log(): Promise<readonly string[]>;
  /** The value shown for a label. `Storage error` and `Error code` are codes. */
  says(label: 'Status' | 'Storage' | 'Storage error' | 'Error code' | 'Error'): Promise<string>;
  /** The session list, most recently changed first: title and status. */
  sessions(): Promise<readonly string[]>;
  /** The calls of the page's tools since the page was loaded. */
  done(): Promise<readonly string[]>;
  /** The codes of errors that the page's store has reported by itself. */
  troubles(): Promise<readonly string[]>;
}

export function chatOn(tab: Tab): Chat {
  const { page } = tab;
  return {
    tab,
    async say(text) {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
    },
    click: (button) => page.getByRole('button', { name: button, exact: true }).click(),
    log: () =>
      page
        .getByRole('log', { name: 'Messages' })
        .getByRole('article')
        .evaluateAll((rows) =>
          rows.map(({ dataset, textContent }) => {
            const { role, status } = dataset;
            return `${role}${status ? ` ${status}` : ''}: ${textContent}`;
          }),
        ),
    says: async (label) => (await page.getByLabel(label, { exact: true }).textContent()) ?? '',
    sessions: () => page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem').allTextContents(),
    done: () => page.evaluate(() => globalThis.done),
    troubles: () => page.evaluate(() => globalThis.troubles),
  };
}
