import type { Beside } from './pane.ts';

/** What the pane shows. */
export type Kind = 'answer' | 'code' | 'page' | 'diagram';

/** Returns how a block of code, or an answer, is shown at the side. */
export function kindOf(beside: Beside): Kind {
  if (beside.is === 'answer') return 'answer';
  const language = beside.language.toLowerCase();
  if (language === 'mermaid') return 'diagram';
  return language === 'html' || language === 'htm' || language === 'svg' ? 'page' : 'code';
}

const endings: Readonly<Record<string, string>> = {
  bash: 'sh',
  csharp: 'cs',
  javascript: 'js',
  markdown: 'md',
  mermaid: 'mmd',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  typescript: 'ts',
  yaml: 'yml',
};

/** Returns the name of the file as which it is saved. */
export function fileNameFor(beside: Beside): string {
  if (beside.is === 'answer') return 'answer.md';
  const language = beside.language.toLowerCase();
  const ending = Object.hasOwn(endings, language)
    ? endings[language]
    : /^[a-z\d]{1,8}$/u.test(language)
      ? language
      : 'txt';
  return `code.${ending}`;
}
