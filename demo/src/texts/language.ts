import { BehaviorSubject } from 'rxjs';
import { createStored } from '../base/stored.ts';
import { en, type Texts } from './en/en.ts';

/** A language of the interface. */
export type Language = 'en' | 'zh';

/** `system` follows the browser. */
export type LanguageChoice = 'system' | Language;

/** Each language in its own words. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', zh: '简体中文' };

const stored = createStored<LanguageChoice>('brooklet-studio:language', {
  read: (text) => (text === 'en' || text === 'zh' ? text : 'system'),
  write: (choice) => (choice === 'system' ? undefined : choice),
});
const subject = new BehaviorSubject<Texts>(en);

/** Emits when another language has been loaded. */
export const texts$ = subject.asObservable();

/** Returns the texts of the chosen language; English until it is loaded. For components: `useTexts`. */
export const getTexts = (): Texts => subject.value;

/** The stored choice; emits when any tab changes it. */
export const language$ = stored.value$;
export const getLanguage = stored.get;

/** Stores a choice, and shows the page in that language, in all tabs. */
export async function setLanguage(choice: LanguageChoice): Promise<void> {
  stored.change(() => choice);
  await applyLanguage(choice);
}

/** Shows the page in the stored language, now and when any tab changes it. Resolves when the first one is shown. */
export async function followLanguage(): Promise<void> {
  await applyLanguage(getLanguage());
  language$.subscribe((choice) => void applyLanguage(choice));
}

/** The last choice: its texts may arrive before those of the choice before. */
let latest: LanguageChoice | undefined;

/** Shows the page in a language, in English if its texts cannot be loaded. Never rejects. */
export async function applyLanguage(choice: LanguageChoice): Promise<void> {
  latest = choice;
  const texts = await load(choice === 'system' ? languageOf(navigator.languages) : choice);
  if (choice !== latest) return;
  document.documentElement.lang = texts.locale;
  document.documentElement.dir = texts.dir;
  if (texts !== subject.value) subject.next(texts);
}

/** Returns the first language of the browser's list in which the interface is written, else English. */
export function languageOf(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const [primary] = tag.toLowerCase().split('-');
    if (primary === 'zh' || primary === 'en') return primary;
  }
  return 'en';
}

/** English is part of the page; other languages are loaded. */
async function load(language: Language): Promise<Texts> {
  if (language === 'en') return en;
  try {
    return (await import('./zh/zh.ts')).zh;
  } catch {
    return en;
  }
}
