/** Elements whose text is not visible. */
const hidden = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'IFRAME', 'OBJECT', 'CANVAS']);

/** Elements that start a new line. */
const blocks = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DIV DL DT FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);

/**
 * Returns the text of a page: the title first, then one line for each block. The browser's `DOMParser` parses the page: no
 * script runs, and no resource is loaded.
 */
export function htmlToText(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
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
