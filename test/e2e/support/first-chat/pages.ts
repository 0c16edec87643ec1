import type { Locator, Page } from 'playwright';

/** What a person sees of one of the README's chats. */
export interface ChatView {
  readonly folder: 'react' | 'own' | 'plain';
  /** Enters a key, as after each load of the page. */
  readonly enterKey: (page: Page) => Promise<void>;
  readonly field: (page: Page) => Locator;
  /** Whether no answer can be stopped. */
  readonly isStopped: (page: Page) => Promise<boolean>;
  /** The messages of the person, those that wait included. */
  readonly questions: (page: Page) => Promise<readonly string[]>;
  /** What the page reports; empty without a problem. */
  readonly alert: (page: Page) => Promise<string>;
  /** Goes on with an answer that was cut. */
  readonly goOn: (page: Page) => Locator;
  /** Asks again after a failure without an answer. */
  readonly again: (page: Page) => Locator;
  /** Says that the message is sent again. */
  readonly isTrying: (page: Page) => Locator;
  readonly newChat: (page: Page) => Locator;
  /** What is said of a conversation that was deleted, of a damaged one, and of a refused key. */
  readonly deleted: RegExp;
  readonly damaged: RegExp;
  readonly refused: RegExp;
}

const key = (page: Page): Locator => page.locator('input[type=password]');
const trim = (texts: readonly string[]): readonly string[] => texts.map((text) => text.trim());

const common: Pick<ChatView, 'field' | 'alert' | 'newChat'> = {
  field: (page) => page.getByRole('textbox', { name: 'Message' }),
  alert: async (page) => (await page.getByRole('alert').allInnerTexts()).join('\n'),
  newChat: (page) => page.getByRole('link', { name: 'New chat' }),
};

const own: Omit<ChatView, 'folder' | 'enterKey'> = {
  ...common,
  isStopped: (page) => page.getByRole('button', { name: 'Stop' }).isDisabled(),
  questions: async (page) => trim(await page.locator('p.user').allInnerTexts()),
  goOn: (page) => page.getByRole('button', { name: 'Continue' }),
  again: (page) => page.getByRole('button', { name: 'Continue' }),
  isTrying: (page) => page.getByText('The message is sent again.'),
  deleted: /^This conversation was deleted\. Start a new one\.$/u,
  damaged: /^A part of this conversation is damaged .*: start a new one, or fork/u,
  refused: /^401 from/u,
};

const enterInField = async (page: Page): Promise<void> => {
  await key(page).fill('sk-test');
  await key(page).press('Enter');
  await key(page).waitFor({ state: 'detached' });
};

/** The chat of `brooklet/ui`, one with markup of its own, and one without React. */
export const pages: readonly ChatView[] = [
  {
    ...common,
    folder: 'react',
    enterKey: enterInField,
    isStopped: async (page) => (await page.getByRole('button', { name: 'Stop', exact: true }).count()) === 0,
    questions: async (page) =>
      trim(await page.locator('[data-part=question] bdi, [data-part=queue] bdi').allInnerTexts()),
    goOn: (page) => page.getByRole('button', { name: 'Resume' }),
    again: (page) => page.getByRole('alert').getByRole('button', { name: 'Try again' }),
    isTrying: (page) => page.getByText('Trying again'),
    deleted: /^This conversation was deleted/u,
    damaged: /^The stored conversation is damaged/u,
    refused: /^The key was refused/u,
  },
  { ...own, folder: 'own', enterKey: enterInField },
  { ...own, folder: 'plain', enterKey: (page) => key(page).fill('sk-test') },
];
