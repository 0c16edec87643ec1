import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { typesetter } from '../../demo/src/markdown/FormulaView.tsx';
import { Markdown } from '../../demo/src/markdown/Markdown.tsx';
import { hostileFormulas } from './hostile.ts';
import '../../demo/src/styles/studio.css';

beforeAll(typesetter.load);
afterEach(cleanup);

const show = (text: string): HTMLElement => render(<Markdown text={text} />).container;
const mathML = 'http://www.w3.org/1998/Math/MathML';

describe('formulas', () => {
  it('are MathML, and copied as they were written', () => {
    const container = show('Let $x^2$ be\n\n$$\n\\frac{a}{b}\n$$');
    expect(container.querySelectorAll('math msup, math mfrac')).toHaveLength(2);
    expect(container.querySelector('.formula:not(.display)')?.textContent).toContain('$x^2$');
    expect(container.querySelector('.formula.display .formula-source')?.textContent).toBe('$$\n\\frac{a}{b}\n$$');
  });

  it('stand in tables, lists, quotes, headings and emphasis', () => {
    const container = show('# $a$\n\n| $|b|$ |\n| - |\n| $c$ |\n\n- **$d_1$**\n\n> \\(e\\)');
    expect(container.querySelectorAll('h1 math, th math, td math, strong math, blockquote math')).toHaveLength(5);
  });

  it.each([
    '$\\frac{a$',
    '$\\undefined x$',
    `$${'{'.repeat(2_000)}${'}'.repeat(2_000)}$`,
    `$${'\\sqrt'.repeat(300)} x$`,
  ])('that cannot be typeset are shown as they were written: %s', (text) => {
    const container = show(text);
    expect(container.querySelector('math')).toBeNull();
    expect(container.textContent).toBe(text.slice(1, -1));
  });

  it('are code while they stream', () => {
    const { container, rerender } = render(<Markdown text={'So $$\\frac{a}{'} isUnfinished />);
    expect(container.querySelector('p')?.textContent).toBe('So \\frac{a}{');
    rerender(<Markdown text={'So $$\\frac{a}{b}$$'} isUnfinished />);
    expect(container.querySelector('math mfrac')).not.toBeNull();
  });

  it.each(hostileFormulas)('link, load and run nothing: %s', (tex) => {
    for (let end = 1; end <= tex.length; end += 1) {
      const { container, unmount } = render(<Markdown text={`$$\n${tex.slice(0, end)}\n$$`} />);
      const foreign = [...container.querySelectorAll('math *')].filter((element) => element.namespaceURI !== mathML);
      expect(foreign).toEqual([]);
      expect(container.querySelector('a, img, iframe, script, form, [href], [src], [id], [class*="evil"]')).toBeNull();
      unmount();
    }
  });

  it('leave code and addresses as they are', () => {
    const container = show('`$x^2$` and [$y^2$](https://a.example/$z^2$)\n\n    $w^2$');
    expect(container.querySelector('code')?.textContent).toBe('$x^2$');
    expect(container.querySelector('a')?.getAttribute('href')).toBe('https://a.example/$z%5E2$');
    expect(container.querySelector('pre')?.textContent).toContain('$w^2$');
    expect(container.querySelectorAll('math')).toHaveLength(1);
  });

  it('are what a selection copies, in the place of their symbols', () => {
    const container = show('Let $x^2$ be, and\n\n$$\n\\frac{a}{b}\n$$\n\nthe end.');
    getSelection()?.selectAllChildren(container);
    const copied = getSelection()?.toString() ?? '';
    expect(copied.replaceAll(/\s+/gu, ' ')).toBe('Let $x^2$ be, and $$ \\frac{a}{b} $$ the end.');
  });

  it('stand on the line of their text, and draw nothing outside of it', () => {
    const container = show('Hxg $x$ and $\\raisebox{-300pt}{x}\\kern-400pt x$');
    const [formula, far] = container.querySelectorAll('.formula');
    const text = container.querySelector('p')?.firstChild ?? expect.unreachable();
    const range = new Range();
    range.selectNode(text);
    const [line, box] = [range.getBoundingClientRect(), formula?.getBoundingClientRect()];
    expect(Math.abs((box?.bottom ?? 0) - line.bottom)).toBeLessThan(6);
    expect(getComputedStyle(far ?? container).overflow).toBe('clip');
    expect(document.documentElement.scrollHeight).toBeLessThan(2_000);
  });

  it('scroll by themselves when they are wider than the column, also by keyboard', () => {
    const container = show(`$$\n${'a + '.repeat(200)} b\n$$`);
    const frame = container.querySelector<HTMLElement>('.formula-math');
    expect(frame?.scrollWidth).toBeGreaterThan(frame?.clientWidth ?? 0);
    expect(frame?.tabIndex).toBe(0);
    expect(container.scrollWidth).toBe(container.clientWidth);
  });
});
