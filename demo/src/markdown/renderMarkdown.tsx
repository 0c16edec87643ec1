import { type ReactElement, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { closeMarkdown } from './closeMarkdown.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { ExternalLink } from './ExternalLink.tsx';
import { formulaElements, toFormula } from './formulaElements.ts';
import { maskFormulas } from './formulas.ts';
import { FormulaView } from './FormulaView.tsx';
import { isTooComplex } from './limits.ts';
import { PlainText } from './PlainText.tsx';
import { RemoteImage } from './RemoteImage.tsx';
import { Table } from './Table.tsx';
import { TaskMark } from './TaskMark.tsx';

interface RenderedMarkdownProps {
  readonly text: string;
  /** Whether the end of the text has not arrived: what it has left open is closed. */
  readonly isUnfinished: boolean;
  /** Definitions to which the text refers, as Markdown. */
  readonly definitions: string;
}

/** Markdown without raw HTML, with formulas. */
export function RenderedMarkdown({ text, isUnfinished, definitions }: RenderedMarkdownProps): ReactElement {
  const { source, formulas } = useMemo(() => {
    const masked = maskFormulas(text, isUnfinished);
    const closed = isUnfinished ? closeMarkdown(masked.text) : masked.text;
    return { formulas: masked.formulas, source: definitions === '' ? closed : `${closed}\n\n${definitions}` };
  }, [text, isUnfinished, definitions]);
  if (isTooComplex(source)) return <PlainText text={text} />;
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={formulas.length === 0 ? noPlugins : [[formulaElements, formulas]]}
      components={components}
      urlTransform={(url) => url}
    >
      {source}
    </ReactMarkdown>
  );
}

const remarkPlugins = [remarkGfm];
const noPlugins: never[] = [];

// `urlTransform` does not change URLs: the components below are the only places that check them.
const components: Components = {
  a: ({ href, children }) => <ExternalLink url={href ?? ''}>{children}</ExternalLink>,
  img: ({ src, alt }) => <RemoteImage url={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ node }) => {
    const code = node?.children[0];
    if (code?.type !== 'element') return null;
    const classes = code.properties['className'];
    const [language] = Array.isArray(classes) ? classes : [];
    const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
    return (
      <CodeBlock
        language={typeof language === 'string' ? language.replace(/^language-/u, '') : ''}
        text={text.replace(/\n$/u, '')}
      />
    );
  },
  code: ({ node, children }) => {
    const formula = toFormula(node);
    return formula ? <FormulaView {...formula} /> : <code>{children}</code>;
  },
  // Bullets and bars are at the side where the text begins.
  ul: ({ className, children }) => (
    <ul dir="auto" className={className}>
      {children}
    </ul>
  ),
  ol: ({ className, start, children }) => (
    <ol dir="auto" className={className} start={start}>
      {children}
    </ol>
  ),
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  table: ({ children }) => <Table>{children}</Table>,
  // The only inputs of Markdown are the boxes of task lists.
  input: ({ checked }) => <TaskMark isDone={checked === true} />,
};
