import { render } from '@testing-library/react';
import { Markdown } from 'brooklet/ui';
import 'brooklet/ui/style.css';
import { expect, it } from 'vitest';

const head = '| Brook | Length | Remark | Flow |\n| :-- | --: | :-- | --: |\n';
const row = (number: number): string =>
  `| Brook ${number} of the ${number % 2 === 0 ? 'long eastern ' : ''}valley | ${(number + 1) * 1_240} m | ${'passes a pond and a mill '.repeat(number % 5)} | ${number * 1_000} l |\n`;
const table = (rows: number): string => head + Array.from({ length: rows }, (_, number) => row(number)).join('');

function show(text: string, isUnfinished: boolean) {
  const box = document.createElement('div');
  box.className = 'bk-chat';
  box.style.inlineSize = '380px';
  document.body.append(box);
  const { rerender, unmount } = render(<Markdown text={text} isUnfinished={isUnfinished} />, { container: box });
  return {
    box,
    show: (next: string, isGrowing: boolean) => rerender(<Markdown text={next} isUnfinished={isGrowing} />),
    heights: () => Array.from(box.querySelectorAll('tr'), ({ offsetHeight }) => offsetHeight),
    unmount: () => {
      unmount();
      box.remove();
    },
  };
}

it('changes no line of its rows while it grows, and is complete as it was', () => {
  const page = show(table(1), true);
  let before = page.heights();
  for (let rows = 2; rows < 14; rows += 1) {
    page.show(table(rows), true);
    const heights = page.heights();
    expect(heights.slice(0, before.length)).toEqual(before);
    before = heights;
  }
  // Some rows have several lines: otherwise this would show nothing.
  expect(new Set(before).size).toBeGreaterThan(1);
  page.show(table(13), false);
  expect(page.heights()).toEqual(before);
  page.unmount();
});

it('scrolls by itself, and cuts no word and no number', () => {
  const page = show(`${table(13)}| QUOTA_EXCEEDED | 1,000,000 | 128,000 | 10.0 |\n`, false);
  const section = page.box.querySelector('section');
  expect(section?.scrollWidth).toBeGreaterThan(section?.clientWidth ?? 0);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
  const lines = Array.from(page.box.querySelectorAll('tbody tr:last-child td'), (cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getClientRects().length;
  });
  expect(lines).toEqual([1, 1, 1, 1]);
  page.unmount();
});

it('in a text from the right stands at the right, with its columns, headings and cells', () => {
  const page = show('| اسم | طول |\n| --- | --- |\n| نهر | ١٢ |\n', false);
  const [box, table] = [page.box.getBoundingClientRect(), page.box.querySelector('table')?.getBoundingClientRect()];
  expect(Math.abs((table?.right ?? 0) - box.right)).toBeLessThan(30);
  const edges = Array.from(page.box.querySelectorAll('th:first-child, td:first-child'), (cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return Math.round(text.getBoundingClientRect().right);
  });
  expect(new Set(edges).size).toBe(1);
  const [first, last] = [page.box.querySelector('th:first-child'), page.box.querySelector('th:last-child')];
  expect(first?.getBoundingClientRect().left).toBeGreaterThanOrEqual(last?.getBoundingClientRect().right ?? Infinity);
  page.unmount();
});
