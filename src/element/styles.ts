import chatStyle from '../ui/style.css?inline';
import frameStyle from './element.css?inline';

/**
 * Rewrites the style sheet of the parts for a shadow tree. A token `--bk-x` that the page sets anywhere around the element is inherited; its
 * default has another name, since a value of `:host` would win over an inherited one. `rem` is `--bk-unit`: a page whose root has another font
 * size sets it once.
 */
function forShadow(css: string): string {
  return css
    .replaceAll(/var\(--bk-([\w-]+)\)/gu, 'var(--bk-$1,var(--bkd-$1))')
    .replaceAll(/--bk-([\w-]+)(?=\s*:)/gu, '--bkd-$1')
    .replaceAll(/@media[^{]*\{|(-?(?:\d*\.)?\d+)rem\b/gu, (all, count?: string) =>
      count === undefined ? all : `calc(${count} * var(--bk-unit, 1rem))`,
    );
}

let sheet: CSSStyleSheet | undefined;

/** Returns the style sheet that all elements of the page share. A constructed sheet needs no element: a policy `style-src 'self'` allows it. */
export function elementSheet(): CSSStyleSheet {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(forShadow(`${chatStyle}\n${frameStyle}`));
  return sheet;
}
