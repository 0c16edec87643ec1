import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Markdown } from '../../demo/src/markdown/Markdown.tsx';
import { safeURL } from '../../src/ui/markdown/url.ts';
import { hostileAddresses, hostileHTML, hostilePictures } from './hostile.ts';

afterEach(() => vi.unstubAllGlobals());

const show = (text: string): HTMLElement => render(<Markdown text={text} />).container;
const secret = 'https://evil.example/p.png?q=secret';

/** All elements and attributes in the tree that make a browser load or run something without a click. */
function active(container: HTMLElement): readonly string[] {
  const found = container.querySelectorAll(
    'img, script, style, iframe, object, embed, link, video, audio, source, svg image, [srcset], [style], [background]',
  );
  const handlers = [...container.querySelectorAll('*')].filter((element) =>
    [...element.attributes].some(({ name }) => name.startsWith('on')),
  );
  return [...found, ...handlers].map((element) => element.outerHTML);
}

describe('links', () => {
  it.each(hostileAddresses)('does not offer %s', (url) => {
    expect(show(`[press](<${url}>) and [press][r]\n\n[r]: <${url}>`).querySelector('a')).toBeNull();
    expect(screen.getAllByText('press', { exact: false }).length).toBeGreaterThan(0);
  });

  it('open in a new tab without an opener, and show their whole address', () => {
    const link = show('[the guide](https://docs.example/a?b=c#d)').querySelector('a');
    expect(link?.getAttribute('href')).toBe('https://docs.example/a?b=c#d');
    expect(link?.target).toBe('_blank');
    expect(link?.rel.split(' ')).toEqual(expect.arrayContaining(['noopener', 'noreferrer']));
    expect(link?.textContent).toContain('https://docs.example/a?b=c#d');
  });

  it('show a bare address only once', () => {
    expect(show('See https://docs.example/a now').querySelector('a')?.textContent).toBe('https://docs.example/a');
  });

  it('show the real address if the text is another address', () => {
    expect(show('[https://bank.example](https://evil.example)').querySelector('a')?.textContent).toContain(
      'https://evil.example/',
    );
  });

  it.each([
    ['https://a.example', 'https://a.example/'],
    ['HTTPS://A.example/x', 'https://a.example/x'],
    ['http://localhost:8080/', 'http://localhost:8080/'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['https://аpple.example/', 'https://xn--pple-43d.example/'],
    ['https://a.example/\u202egnp.exe', undefined],
    ['java\tscript:alert(1)', undefined],
    [' javascript:alert(1)', undefined],
    ['', undefined],
  ])('takes %j as %j', (url, safe) => {
    expect(safeURL(url)).toBe(safe);
  });
});

describe('pictures', () => {
  it.each(hostilePictures)('are not fetched by themselves: %s', (_how, write) => {
    const text = write(secret);
    // At every length of the stream.
    for (let end = 1; end <= text.length; end += 1) {
      const { container, unmount } = render(<Markdown text={text.slice(0, end)} />);
      expect(active(container)).toEqual([]);
      unmount();
    }
  });

  it('load on a click, only from this address, without a referrer', () => {
    const { container, rerender } = render(<Markdown text={`![a brook](${secret})`} />);
    fireEvent.click(screen.getByRole('button', { name: /a brook.*evil\.example/u }));
    const image = container.querySelector('img');
    expect(image?.src).toBe(secret);
    expect(image?.getAttribute('referrerpolicy')).toBe('no-referrer');

    rerender(<Markdown text={`![a brook](${secret}2)`} />);
    expect(container.querySelector('img')).toBeNull();
  });

  it.each(['data:image/svg+xml,<svg onload=alert(1)>', 'javascript:alert(1)', '/local.png', 'file:///x.png'])(
    'are not even offered from %s',
    (url) => {
      const container = show(`![a](<${url}>)`);
      expect(container.querySelector('button, img')).toBeNull();
    },
  );
});

describe('HTML', () => {
  it.each(hostileHTML)('stays text: %s', (html) => {
    const container = show(`${html}\n\n${html}`);
    expect(active(container)).toEqual([]);
    expect(container.querySelector('a, b, form, svg, math')).toBeNull();
    expect(container.textContent).toContain(html.slice(0, 8));
  });
});

describe('growing text', () => {
  it('keeps the elements of finished blocks', () => {
    const { container, rerender } = render(<Markdown text={'# Title\n\nFirst.\n\nSec'} />);
    const [title, first] = [container.querySelector('h1'), container.querySelector('p')];
    rerender(<Markdown text={'# Title\n\nFirst.\n\nSecond.\n\nThird'} />);
    expect(container.querySelector('h1')).toBe(title);
    expect(container.querySelector('p')).toBe(first);
    expect(container.querySelectorAll('p')).toHaveLength(3);
  });

  it('shows code with its language', () => {
    const container = show('```ts\nconst a = "<b>";\n```\n\n- in a list\n\n  ```sh\n  ls\n  ```');
    expect(screen.getByRole('figure', { name: 'Code, ts' }).textContent).toContain('const a = "<b>";');
    expect(screen.getByRole('figure', { name: 'Code, sh' }).textContent).toContain('ls');
    expect(container.querySelectorAll('pre')).toHaveLength(2);
  });
});

describe('code', () => {
  const lines = Array.from({ length: 41 }, (_, index) => `line ${index}`);

  it('is collapsed above 40 lines, and shown whole on a click', () => {
    const code = show(`\`\`\`\n${lines.join('\n')}\n\`\`\``).querySelector('code');
    expect(code?.textContent).toBe(lines.slice(0, 25).join('\n'));
    fireEvent.click(screen.getByRole('button', { expanded: false }));
    expect(code?.textContent).toBe(lines.join('\n'));
    fireEvent.click(screen.getByRole('button', { expanded: true }));
    expect(code?.textContent).toBe(lines.slice(0, 25).join('\n'));
  });

  it('is wrapped on request', () => {
    const block = show('```\na long line\n```').querySelector('pre');
    expect(block?.dataset['state']).toBeUndefined();
    fireEvent.click(screen.getByRole('button', { name: 'Wrap lines', pressed: false }));
    expect(block?.dataset['state']).toBe('wrapped');
    expect(screen.getByRole('button', { name: 'Wrap lines', pressed: true })).toBeTruthy();
  });

  it('is copied whole while it is collapsed', async () => {
    const writeText = vi.fn(async () => {});
    // user-event of an earlier file leaves a clipboard that cannot be assigned.
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }));
    show(`\`\`\`\n${lines.join('\n')}\n\`\`\``);
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Copy code' }));
    });
    expect(writeText).toHaveBeenCalledExactlyOnceWith(lines.join('\n'));
  });
});

it('a table is reachable by keyboard, to scroll it', () => {
  show('| a | b |\n| - | - |\n| 1 | 2 |');
  const region = screen.getByRole('region', { name: 'Table' });
  expect(region.tabIndex).toBe(0);
  expect(region.querySelector('table')).not.toBeNull();
});

describe('a text that grows in leaps', () => {
  const textOf = (blocks: number): string =>
    Array.from({ length: blocks }, (_, index) => `Block ${index}: ${'word '.repeat(40)}`).join('\n\n');
  const countIn = (container: HTMLElement): number => container.querySelectorAll('p').length;

  it('is shown whole at first', () => {
    expect(countIn(show(textOf(50)))).toBe(50);
  });

  it('is rendered some blocks a frame, until all are there', () => {
    const drawFrame = stubFrames();
    const { container, rerender } = render(<Markdown text={textOf(3)} isUnfinished />);
    rerender(<Markdown text={textOf(50)} isUnfinished />);
    expect(countIn(container)).toBeLessThan(13);
    for (let count = countIn(container); count < 50; count = countIn(container)) {
      drawFrame();
      const more = countIn(container) - count;
      expect(more).toBeGreaterThan(0);
      expect(more).toBeLessThan(10);
    }
    expect(container.textContent).toContain('Block 49: word');
    rerender(<Markdown text={textOf(2)} />);
    expect(countIn(container)).toBe(2);
  });

  it('keeps being rendered while more arrives with each frame', () => {
    const drawFrame = stubFrames();
    const { container, rerender } = render(<Markdown text={textOf(1)} isUnfinished />);
    for (let blocks = 20; blocks <= 100; blocks += 20) {
      const before = countIn(container);
      rerender(<Markdown text={textOf(blocks)} isUnfinished />);
      drawFrame();
      expect(countIn(container)).toBeGreaterThan(before);
    }
    rerender(<Markdown text={textOf(100)} />);
    for (let frame = 0; frame < 100; frame++) drawFrame();
    expect(countIn(container)).toBe(100);
  });
});

/** Replaces the frames of the browser. Returns a function that draws one. */
function stubFrames(): () => void {
  const callbacks = new Map<number, FrameRequestCallback>();
  let lastId = 0;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    callbacks.set((lastId += 1), callback);
    return lastId;
  });
  vi.stubGlobal('cancelAnimationFrame', (id: number) => callbacks.delete(id));
  return () =>
    act(() => {
      const due = Array.from(callbacks.values());
      callbacks.clear();
      for (const callback of due) callback(0);
    });
}
