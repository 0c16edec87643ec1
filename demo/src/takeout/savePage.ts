import uiStyle from 'brooklet/ui/style.css?inline';
import mathStyle from 'temml/dist/Temml-Local.css?inline';
import formulaStyle from '../styles/formulas.css?inline';
import markdownStyle from '../styles/markdown.css?inline';
import paperStyle from '../styles/paper.css?inline';
import tokenStyle from '../styles/tokens.css?inline';
import type { Texts } from '../texts/en/en.ts';
import { toPaper } from './paper.tsx';
import type { Taken } from './taken.ts';

/** The page runs nothing and loads nothing: not a picture, not a font. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Returns what is taken out as one HTML file, which opens by double click: what the person saw, with formatted texts, code in colours and formulas. */
export async function toPage(taken: Taken, texts: Texts): Promise<Blob> {
  const paper = await toPaper(taken, texts);
  const style = [uiStyle, tokenStyle, markdownStyle, mathStyle, formulaStyle, paperStyle]
    .join('\n')
    // The file of a font is not in the page.
    .replaceAll(/@font-face\s*\{[^}]*\}/gu, '');
  const title = document.createElement('title');
  title.textContent = taken.title === '' ? texts.common.untitled : taken.title;
  const lines = [
    '<!doctype html>',
    `<html lang="${texts.locale}" dir="${texts.dir}">`,
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    title.outerHTML,
    // No text of a message is in it.
    `<style>${style}</style>`,
    paper.outerHTML,
    '</html>\n',
  ];
  return new Blob([lines.join('\n')], { type: 'text/html;charset=utf-8' });
}
