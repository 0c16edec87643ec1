import type { Locator, Page } from 'playwright';
import { button } from './studio.ts';

/** The conversation of Studio, as assistive technology finds it. */
export const conversation = (page: Page): Locator => page.getByRole('region', { name: 'Conversation' });
export const textOf = async (page: Page): Promise<string> => (await conversation(page).textContent()) ?? '';

/** Sends a message by the button. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await button(page, 'Send').click();
}
