/** What nobody reads. */
const silent = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'IFRAME', 'OBJECT', 'CANVAS']);

/** What stands on lines of its own. */
const blocks = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DIV DL DT FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);

/**
 * The text of a page, a line for each block, with the title first. The page is parsed by the browser's `DOMParser`: no
 * script of it runs, and nothing that it names is loaded.
 */
export function htmlToText(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  let text = '';
  // A list of its own instead of the call stack: a page may be nested as deep as it likes.
  const open: (Node | '\n')[] = [page.body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === '\n') text += '\n';
    else if (node.nodeType === Node.TEXT_NODE) text += (node.textContent ?? '').replaceAll(/\s+/gu, ' ');
    else if (!silent.has(node.nodeName.toUpperCase())) {
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
