/** The parts of the file. */
interface PageParts {
  readonly title: string;
  /** The logs, as JSON Lines, without a text that ends the element: see `escapeLines`. */
  readonly lines: readonly string[];
  /** BCP 47 tag; without one the viewer has the language of the browser. */
  readonly language: string | undefined;
  readonly viewer: {
    readonly script: string;
    readonly style: string;
    readonly scriptHash: string;
    readonly styleHash: string;
  };
}

/** Returns the text of the file. The log is its end, so that a file that was cut shows what it has. */
export function toPage({ title, lines, viewer, language }: PageParts): string {
  const { script, style, scriptHash, styleHash } = viewer;
  const policy = [
    `default-src 'none'`,
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
<main id="viewer"${language === undefined ? '' : ` data-language="${language}"`}></main>
<script type="module">${script}</script>
<script type="application/json" id="log">
${lines.join('')}</script>
</body>
</html>
`;
}

/** Returns text for an element or a quoted attribute. */
function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Returns the lines without `<`, which JSON has in strings only: nothing in them can end the element. */
export function escapeLines(lines: string): string {
  return lines.replaceAll(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
