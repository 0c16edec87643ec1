import { fireEvent, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { Markdown } from 'brooklet/ui';
import { hostileAddresses, hostileHTML, hostilePictures } from '../demo/hostile.ts';

const show = (text: string): HTMLElement => render(<Markdown text={text} />).container;
/** What a text becomes, as HTML without the frame of the part. */
const html = (text: string, isUnfinished = false): string =>
  render(<Markdown text={text} isUnfinished={isUnfinished} />).container.querySelector('[data-part=markdown]')!
    .innerHTML;
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

/** A document with all that Markdown has here. */
const whole = `# Rivers & brooks

A *brook* is a **small** stream, ~~not~~ \`water\` — see [the guide](https://docs.example/a?b=c&amp;d=1 "t") or <https://a.example/>.
A second line[^deep], and [a reference][ref].

> A quote
> over two lines

1. one
   - nested **item**
   - [x] done
   - [ ] open
2. two

| name | length |
| :--- | -----: |
| Aare | 288 km |
| *Inn* | \`518\` |

\`\`\`js
const a = 1 < 2; // not &lt;
\`\`\`

![a picture](${secret})

***

[ref]: https://ref.example/x
[^deep]: A note about **depth**.

    Its second paragraph.
`;

describe('Markdown of CommonMark and GitHub', () => {
  it.each([
    ['# One', '<h1>One</h1>'],
    ['Two\n===', '<h1>Two</h1>'],
    ['###### Six', '<h6>Six</h6>'],
    ['a\nb', '<p>a\nb</p>'],
    ['a  \nb', '<p>a<br>b</p>'],
    ['a\n\nb', '<p>a</p><p>b</p>'],
    [
      '*a* _b_ **c** __d__ ***e***',
      '<p><em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong> <em><strong>e</strong></em></p>',
    ],
    ['snake_case_name', '<p>snake_case_name</p>'],
    ['~~gone~~', '<p><del>gone</del></p>'],
    ['`a < b &amp; *c*`', '<p><code>a &lt; b &amp;amp; *c*</code></p>'],
    ['a &amp; b &copy; &#169; &#xA9; &nosuch;', '<p>a &amp; b © © © &amp;nosuch;</p>'],
    ['\\*not\\* &lt;b&gt;', '<p>*not* &lt;b&gt;</p>'],
    ['- a\n- b', '<ul dir="auto"><li>a</li><li>b</li></ul>'],
    ['3. a\n4. b', '<ol dir="auto" start="3"><li>a</li><li>b</li></ol>'],
    ['- a\n\n- b', '<ul dir="auto"><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['- a\n  - b', '<ul dir="auto"><li>a<ul dir="auto"><li>b</li></ul></li></ul>'],
    ['> a', '<blockquote dir="auto"><p>a</p></blockquote>'],
    ['---', '<hr>'],
    ['a<br>b <!-- hidden --> c', '<p>a<br>b  c</p>'],
    ['<!-- only -->', ''],
  ])('shows %j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it('has tables with aligned columns, task lists and notes', () => {
    const page = show(whole);
    expect(page.querySelectorAll('th')[1]?.getAttribute('data-align')).toBe('right');
    expect(page.querySelectorAll('tbody tr')).toHaveLength(2);
    expect(screen.getByRole('img', { name: 'Done' })).toBeTruthy();
    expect(screen.getByRole('img', { name: 'Not done' })).toBeTruthy();
    expect(page.querySelector('sup')?.textContent).toBe('deep');
    const note = screen.getByRole('note', { name: 'Note deep' });
    expect(note.querySelector('strong')?.textContent).toBe('depth');
    expect(note.querySelectorAll('p')).toHaveLength(2);
    expect(page.querySelector('a[href="https://ref.example/x"]')).toBeTruthy();
  });

  it('shows a text with a footnote block by block', () => {
    const long = Array.from({ length: 3_000 }, (_, index) => `Paragraph **${index}** of a report.`).join('\n\n');
    const page = show(`${long.slice(0, 60_000)}\n\nSee[^1].\n\n[^1]: A source.`);
    expect(page.querySelectorAll('strong').length).toBeGreaterThan(1_000);
    expect(screen.queryByText('Shown without formatting')).toBeNull();
  });
});

describe('a growing text', () => {
  it('is shown at every length, and ends as the whole', () => {
    const { container, rerender } = render(<Markdown text="" isUnfinished />);
    for (let end = 1; end <= whole.length; end += 1) {
      rerender(<Markdown text={whole.slice(0, end)} isUnfinished />);
      expect(active(container)).toEqual([]);
      expect(screen.queryByText('Shown without formatting')).toBeNull();
    }
    rerender(<Markdown text={whole} />);
    expect(container.querySelector('[data-part=markdown]')!.innerHTML).toBe(html(whole));
  });

  it.each([
    ['a **bold', '<p>a <strong>bold</strong></p>'],
    ['a **bold*', '<p>a <strong>bold</strong></p>'],
    ['a *b **c', '<p>a <em>b <strong>c</strong></em></p>'],
    ['`code', '<p><code>code</code></p>'],
    ['see [the gui', '<p>see the gui</p>'],
    ['see [the guide](https://docs.exa', '<p>see the guide</p>'],
    ['a ![pic](htt', '<p>a pic</p>'],
    ['a note[^dee', '<p>a note</p>'],
    ['Title\n--', '<p>Title</p>'],
    ['- a\n- ', '<ul dir="auto"><li>a</li></ul>'],
  ])('closes what is open: %j', (text, expected) => {
    expect(html(text, true)).toBe(expected);
  });

  it('renders a finished block once', () => {
    const drawn: string[] = [];
    const highlight = (_language: string, text: string): string => {
      drawn.push(text);
      return text;
    };
    const start = '```js\nlet a;\n```\n\nand';
    const { container, rerender } = render(<Markdown text={start} highlight={highlight} isUnfinished />);
    const block = container.querySelector('figure');
    for (const more of [' more', ' more and', ' more and *more*'])
      rerender(<Markdown text={start + more} highlight={highlight} isUnfinished />);
    expect(drawn).toEqual(['let a;']);
    expect(container.querySelector('figure')).toBe(block);
    expect(container.querySelector('em')?.textContent).toBe('more');
  });

  it('colours no code that still grows', () => {
    const highlight = (): ReactElement => <b>coloured</b>;
    const { rerender } = render(<Markdown text={'```js\nlet a'} highlight={highlight} isUnfinished />);
    expect(screen.queryByText('coloured')).toBeNull();
    rerender(<Markdown text={'```js\nlet a\n```'} highlight={highlight} isUnfinished />);
    expect(screen.getByText('coloured')).toBeTruthy();
  });
});

describe('links', () => {
  it.each(hostileAddresses)('are not offered for %s', (url) => {
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

  it('show a bare address once', () => {
    expect(show('See https://docs.example/a now').querySelector('a')?.textContent).toBe('https://docs.example/a');
  });

  it('show the real address at once if the text is another address', () => {
    const link = show('[https://**bank**.example](https://evil.example)').querySelector('a');
    expect(link?.querySelector('[data-state=shown]')?.textContent).toContain('https://evil.example/');
  });

  it('decode references in an address, and none in an address without brackets', () => {
    const page = show('[a](https://a.example/?a=1&amp;b=2) https://b.example/?a=1&amp;b=2');
    expect([...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      'https://a.example/?a=1&b=2',
      'https://b.example/?a=1&amp;b=2',
    ]);
  });

  // An expression that tries each way to divide the dots would not end.
  it('are read once, however long the address of a stranger is', () => {
    const address = `a${'.'.repeat(5_000)}!`;
    expect(show(`[link](${address})`).textContent).toContain(address);
  });

  it('are given to the page at a click', () => {
    const opened: string[] = [];
    const onLink = (url: string, event: { preventDefault(): void }): void => {
      event.preventDefault();
      opened.push(url);
    };
    render(<Markdown text="[go](https://a.example/)" onLink={onLink} />);
    fireEvent.click(screen.getByRole('link'));
    expect(opened).toEqual(['https://a.example/']);
  });
});

describe('pictures', () => {
  it.each(hostilePictures)('are not fetched by themselves: %s', (_how, write) => {
    const text = write(secret);
    const { container, rerender } = render(<Markdown text="" />);
    for (let end = 1; end <= text.length; end += 1) {
      rerender(<Markdown text={text.slice(0, end)} />);
      expect(active(container)).toEqual([]);
    }
  });

  it('load on a click, only from this address, without a referrer', () => {
    const { container, rerender } = render(<Markdown text={`![a brook](${secret})`} />);
    fireEvent.click(screen.getByRole('button', { name: /a brook.*evil\.example/u }));
    const image = container.querySelector('img');
    expect(image?.src).toBe(secret);
    expect(image?.getAttribute('referrerpolicy')).toBe('no-referrer');
    rerender(<Markdown text={`![a brook](${secret}&more)`} />);
    expect(container.querySelector('img')).toBeNull();
  });

  it('load by themselves where the page allows their address', () => {
    render(
      <Markdown
        text={`![a](https://mine.example/a.png) ![b](${secret})`}
        allowImage={(url) => url.startsWith('https://mine.example/')}
      />,
    );
    expect(screen.getAllByRole('img').map((image) => image.getAttribute('src'))).toEqual([
      'https://mine.example/a.png',
    ]);
  });

  it('say that they could not be loaded', () => {
    const { container } = render(<Markdown text={`![a](${secret})`} allowImage={() => true} />);
    fireEvent.error(container.querySelector('img')!);
    expect(screen.getByText('a could not be loaded from evil.example')).toBeTruthy();
  });
});

describe('HTML', () => {
  it.each(hostileHTML)('stays text: %s', (text) => {
    expect(active(show(text))).toEqual([]);
  });
});

describe('the bounds', () => {
  it('show a list of 1,000 levels as it was written', () => {
    const text = Array.from({ length: 1_000 }, (_, level) => `${' '.repeat(2 * level)}- item ${level}`).join('\n');
    const page = show(text);
    expect(page.querySelectorAll('ul')).toHaveLength(0);
    expect(page.textContent).toContain('item 500');
    expect(screen.getByText(/more characters are not shown\./u)).toBeTruthy();
  });

  it.each(['- ', '> ', '1. '])('show 1,000 levels of “%s” in one line as they were written', (mark) => {
    const page = show(`${mark.repeat(1_000)}deep`);
    expect(page.querySelectorAll('ul, ol, blockquote')).toHaveLength(0);
    expect(page.textContent).toContain('deep');
    expect(screen.getByText('Shown without formatting')).toBeTruthy();
  });

  it('leave out columns of a table of 500, and say how many', () => {
    const row = (cell: string): string => `|${cell.repeat(500)}`;
    const page = show([row(' a |'), row(' - |'), row(' b |')].join('\n'));
    expect(page.querySelectorAll('th')).toHaveLength(60);
    expect(screen.getByText('440 more columns')).toBeTruthy();
  });

  it('format the start of a message of 1 MB, and say what is not shown', () => {
    const page = show('A paragraph with **bold** words.\n\n'.repeat(30_000));
    expect(page.querySelectorAll('strong')).toHaveLength(2_000);
    expect(screen.getByText('Shown without formatting')).toBeTruthy();
    expect(screen.getByText(/more characters are not shown\./u)).toBeTruthy();
  });

  it('show a block that would block the page as it was written', () => {
    const page = show(`${'*a **b '.repeat(3_000)}\n\nand **then**`);
    expect(page.querySelectorAll('strong')).toHaveLength(1);
  });

  it('quote without an end', () => {
    expect(show(`${'>'.repeat(5_000)} deep`).textContent).toContain('deep');
  });
});

describe('the slots', () => {
  it('typeset formulas only where the page can', () => {
    const text = 'A price of $5 and $x^2$, and\n\n$$\ny_1\n$$';
    expect(show(text).querySelector('[data-state=display]')).toBeNull();
    const math = (tex: string, isDisplay: boolean): ReactElement => <i data-display={isDisplay}>{tex}</i>;
    const { container } = render(<Markdown text={text} math={math} />);
    expect([...container.querySelectorAll('i')].map((formula) => formula.textContent)).toEqual(['x^2', 'y_1']);
    expect(container.textContent).toContain('A price of $5');
  });

  it('replace blocks of code', () => {
    const renderCode = ({ language, text }: { language: string; text: string }): ReactElement | undefined =>
      language === 'mermaid' ? <output>{text}</output> : undefined;
    render(
      <Markdown text={'```mermaid\na-->b\n```\n\n- ```mermaid\n  c\n  ```\n\n```js\nd\n```'} renderCode={renderCode} />,
    );
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual(['a-->b', 'c']);
    expect(screen.getByRole('figure', { name: 'Code, js' })).toBeTruthy();
  });
});

it('is rendered on a server as in a page', () => {
  const frame = document.createElement('div');
  frame.innerHTML = renderToString(<Markdown text={whole} />).replaceAll('<!-- -->', '');
  expect(frame.querySelector('[data-part=markdown]')!.innerHTML).toBe(html(whole));
  expect(frame.querySelector('[style]')).toBeNull();
});
