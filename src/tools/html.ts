import { toTrusted } from './trusted-html.ts';

/** Elements whose text is not visible. */
const hidden = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'IFRAME', 'OBJECT', 'CANVAS']);

/** Elements that start a new line. */
const blocks = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DIV DL DT FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);

/** A window. */
type View = Pick<typeof globalThis, 'DOMParser'>;

/**
 * Returns the text of a page: the title first, then one line for each block. The browser's `DOMParser` parses the page: no
 * script runs, and no resource is loaded.
 *
 * @throws Error if the page requires Trusted Types and does not allow the policy `brooklet-sandbox`
 */
export function htmlToText(html: string, view: View = globalThis): string {
  const page = parse(html, view);
  let text = '';
  // An explicit stack instead of recursion: the nesting of a page has no bound.
  const open: (Node | '\n')[] = [page.body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === '\n') text += '\n';
    else if (node.nodeType === Node.TEXT_NODE) text += (node.textContent ?? '').replaceAll(/\s+/gu, ' ');
    else if (!hidden.has(node.nodeName.toUpperCase())) {
      const isBlock = blocks.has(node.nodeName);
      if (isBlock) open.push('\n');
      for (let child = node.lastChild; child; child = child.previousSibling) open.push(child);
      if (isBlock) open.push('\n');
      if (node.nodeName === 'TD' || node.nodeName === 'TH') text += ' ';
    }
  }
  const lines = [page.title, ...text.split('\n')].map((line) => line.replaceAll(/\s+/gu, ' ').trim());
  return lines.filter((line) => line !== '').join('\n');
}

function parse(html: string, view: View): Document {
  try {
    return new view.DOMParser().parseFromString(toTrusted(html, view), 'text/html');
  } catch (cause) {
    const message =
      "This page's content security policy forbids parsing HTML: allow the Trusted Types policy brooklet-sandbox, or set html: 'source'.";
    throw new Error(message, { cause });
  }
}
