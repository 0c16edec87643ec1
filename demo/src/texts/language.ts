import { BehaviorSubject } from 'rxjs';
import { readLocal, writeLocal } from '../base/local.ts';
import { en, type Texts } from './en/en.ts';

/** A language of the interface. */
export type Language = 'en' | 'zh';

/** `system` follows the browser. */
export type LanguageChoice = 'system' | Language;

/** Each language in its own words. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', zh: '简体中文' };

const key = 'brooklet-studio:language';
const subject = new BehaviorSubject<Texts>(en);

/** Emits when another language has been loaded. */
export const texts$ = subject.asObservable();

/** Returns the texts of the chosen language; English until it is loaded. For components: `useTexts`. */
export const getTexts = (): Texts => subject.value;

/** Returns the stored choice. */
export function getLanguage(): LanguageChoice {
  const stored = readLocal(key);
  return stored === 'en' || stored === 'zh' ? stored : 'system';
}

/** Stores a choice and shows the page in that language. */
export async function setLanguage(choice: LanguageChoice): Promise<void> {
  writeLocal(key, choice === 'system' ? undefined : choice);
  await applyLanguage(choice);
}

/** Shows the page in a language, in English if its texts cannot be loaded. Never rejects. */
export async function applyLanguage(choice: LanguageChoice): Promise<void> {
  const texts = await load(choice === 'system' ? languageOf(navigator.languages) : choice);
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
