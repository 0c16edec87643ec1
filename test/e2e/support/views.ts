import type { Page } from 'playwright';

type Width = 'narrow' | 'wide';
type Theme = 'light' | 'dark';

const all: readonly (readonly [Width, Theme])[] = [
  ['narrow', 'dark'],
  ['narrow', 'light'],
  ['wide', 'light'],
  ['wide', 'dark'],
];

const sizes = { narrow: { width: 390, height: 844 }, wide: { width: 1280, height: 800 } };

/** Returns the first `count` of the four views of a page: each width, with the themes in which it is seen. */
export function viewsOf(count: number): readonly (readonly [Width, readonly Theme[]])[] {
  const views = all.slice(0, count);
  const widths = [...new Set(views.map(([width]) => width))];
  return widths.map((width) => [width, views.filter((view) => view[0] === width).map(([, theme]) => theme)]);
}

export const setWidth = (page: Page, width: Width): Promise<void> => page.setViewportSize(sizes[width]);

/** Returns what is found in the page as it is, in each theme: lines that begin with the theme. */
export async function inEachTheme(
  page: Page,
  themes: readonly Theme[],
  find: (page: Page) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    found.push(...(await find(page)).map((line) => `${colorScheme}: ${line}`));
  }
  return found;
}
