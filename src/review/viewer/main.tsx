/** @jsxImportSource preact */
import { render } from 'preact';
import { languageOf, textsIn } from './texts/language.ts';
import { TextsContext } from './texts/use-texts.ts';
import { Viewer } from './Viewer.tsx';
import './viewer.css';

// The log follows this script in the file.
addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('viewer');
  if (root === null) return;
  const { language } = root.dataset;
  const texts = textsIn(languageOf(language === undefined ? navigator.languages : [language]));
  document.documentElement.lang = texts.locale;
  render(
    <TextsContext.Provider value={texts}>
      <Viewer text={document.getElementById('log')?.textContent ?? ''} />
    </TextsContext.Provider>,
    root,
  );
});
