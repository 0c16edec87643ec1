import { createRoot } from 'react-dom/client';
import { chineseReview } from '../ui/review/labels/chinese.ts';
import { englishReview } from '../ui/review/labels/english.ts';
import { languageOf } from '../ui/review/labels/languageOf.ts';
import { en } from './texts/en.ts';
import { zh } from './texts/zh.ts';
import { Viewer } from './Viewer.tsx';
import '../ui/style.css';
import '../ui/review.css';
import './page.css';

// The log follows this script in the file.
addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('viewer');
  if (root === null) return;
  const { language } = root.dataset;
  const isChinese = languageOf(language === undefined ? navigator.languages : [language]) === 'zh';
  const texts = isChinese ? zh : en;
  const words = isChinese ? chineseReview : englishReview;
  document.documentElement.lang = texts.locale;
  createRoot(root).render(
    <Viewer
      text={document.getElementById('log')?.textContent ?? ''}
      texts={texts}
      labels={{ ...words, board: { ...words.board, untitled: document.title } }}
    />,
  );
});
