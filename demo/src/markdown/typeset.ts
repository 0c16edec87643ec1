import temml from 'temml';
import 'temml/dist/Temml-Local.css';
import '../styles/formulas.css';

/** Limits above which a formula is shown as it was written: its layout would block the page. */
const maxCharacters = 4_000;
const maxElements = 4_000;
const maxDepth = 60;

const mathML = 'http://www.w3.org/1998/Math/MathML';

/**
 * Returns a formula in TeX as MathML; `undefined` if it is wrong or too big. Nothing in it is a link, loads or runs something: Temml refuses
 * these commands, and no element but those of MathML, no link and no id of the result is kept.
 */
export function typeset(tex: string, isDisplay: boolean): Element | undefined {
  if (tex.length > maxCharacters) return undefined;
  const root = document.createElement('span');
  try {
    temml.render(tex, root, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
      // em, pt
      maxSize: [20, 400],
    });
  } catch {
    return undefined;
  }
  const math = root.firstElementChild;
  return math && root.querySelectorAll('*').length <= maxElements && isPlain(math, 0) ? math : undefined;
}

/** Whether an element and all in it are MathML and not too deep. Removes their links and ids. */
function isPlain(element: Element, depth: number): boolean {
  element.removeAttribute('id');
  element.removeAttribute('href');
  return (
    depth <= maxDepth &&
    element.namespaceURI === mathML &&
    Array.from(element.children).every((child) => isPlain(child, depth + 1))
  );
}
