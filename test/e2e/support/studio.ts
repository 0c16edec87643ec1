import type { Locator, Page } from 'playwright';
import type { AllTexts } from '../../../demo/src/texts/en/rooms.ts';
import { roomsEn } from '../../../demo/src/texts/en/rooms.ts';
import { en } from '../../../demo/src/texts/en/en.ts';
import { paceKey } from '../../../demo/src/offline/pace.ts';
import { eventually } from './eventually.ts';

/** The conversation of Studio, in whichever language. */
export const conversation = (page: Page): Locator => page.locator('section.bk-scroller');
export const textOf = async (page: Page): Promise<string> => (await conversation(page).textContent()) ?? '';
export const composer = (page: Page): Locator => page.locator('.bk-composer textarea');
export const palette = (page: Page): Locator => page.locator('dialog.palette');
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
/** Waits until no dialog is open. */
export const dialogClosed = (page: Page): Promise<void> => page.getByRole('dialog').waitFor({ state: 'detached' });

/** Writes a message as a person does, and sends it. */
export async function ask(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** Sets the factor of the pauses in the answers of the demo model, until the page is loaded anew: see `OpenOptions.pace`. */
export const setPace = (page: Page, pace: number): Promise<void> =>
  page.evaluate(([key, value]) => sessionStorage.setItem(key, value), [paceKey, String(pace)] as const);

/** Sends a message, and waits for words of its answer. */
export async function hear(page: Page, text: string, answer: string | RegExp): Promise<void> {
  await ask(page, text);
  await eventually(() => textOf(page)).toMatch(typeof answer === 'string' ? new RegExp(answer) : answer);
  await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
}

/** Sends a message without reading the answer to its end. Words are a sign in an answer that goes on: at the speed of a real model from then on. */
export async function begin(page: Page, text: string, sign: string | Locator): Promise<void> {
  if (typeof sign === 'string') await setPace(page, 1);
  await ask(page, text);
  await (typeof sign === 'string' ? conversation(page).getByText(sign).first() : sign).waitFor();
}

/** Places of sections in the list of the settings. */
export const sections = { model: 0, keys: 1, answers: 2, storage: 8 } as const;

/** Opens a section of the settings by its place in the list. */
export async function openSettings(page: Page, section: number): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('tab').nth(section).click();
}

interface Service {
  readonly baseURL?: string;
  readonly model?: string;
  readonly key?: string;
}

const english: AllTexts = { ...en, ...roomsEn };

/** Chooses a model by its name, in the picker within `place`. */
async function pickModel(page: Page, place: Locator, model: string): Promise<void> {
  await place.locator('.bk-model-picker > button').click();
  await page.locator('input[role=combobox]').fill(model);
  await page.keyboard.press('Enter');
  await place.locator('.bk-models').waitFor({ state: 'detached' });
}

/** Fills in the form of a service; the settings are open. */
export async function fillService(page: Page, { baseURL, model, key }: Service, words = english): Promise<void> {
  if (baseURL !== undefined) await page.getByLabel(words.settings.baseURL, { exact: true }).fill(baseURL);
  if (key !== undefined) await page.getByLabel(words.settings.apiKey, { exact: true }).fill(key);
  if (model !== undefined) await pickModel(page, page.locator('.bk-key-field'), model);
}

/** Connects to a service; the settings are open. Where the service does not answer the test of the key, it is used anyway. */
export async function connectTo(page: Page, service: Service, words = english): Promise<void> {
  await fillService(page, service, words);
  await button(page, words.settings.connect).click();
  const anyway = button(page, words.settings.connectAnyway);
  const closed = dialogClosed(page);
  await Promise.race([closed, anyway.waitFor()]);
  if (await anyway.isVisible()) await anyway.click();
  await closed;
}
