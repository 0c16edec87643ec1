import { memo, type ReactElement, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { type Block, definitionsFor, toBlocks } from './blocks.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { ExternalLink } from './ExternalLink.tsx';
import { isTooComplex, limitBlocks } from './limits.ts';
import { PlainText } from './PlainText.tsx';
import { RemoteImage } from './RemoteImage.tsx';

/**
 * Renders untrusted Markdown while it streams: no raw HTML, no picture is loaded without consent, every link shows its address.
 * Finished blocks are not parsed again. A block that cannot be rendered, or that would block the page, is shown as plain text.
 */
export function Markdown({ text }: { readonly text: string }): ReactElement {
  const { blocks, definitions, rest } = useMemo(() => {
    const { blocks: all, definitions } = toBlocks(text);
    return { definitions, ...limitBlocks(all) };
  }, [text]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // The index is a stable key: the text only grows at its end.
        <MarkdownBlock key={index} {...block} definitions={definitionsFor(block, definitions)} />
      ))}
      {rest !== '' && <PlainText text={rest} />}
    </div>
  );
}

/** All props are strings and booleans, so that `memo` skips an unchanged block. */
const MarkdownBlock = memo(function MarkdownBlock(block: Block & { readonly definitions: string }): ReactElement {
  if (block.kind === 'code') return <CodeBlock language={block.language} text={block.text} />;
  const source = block.definitions === '' ? block.text : `${block.text}\n\n${block.definitions}`;
  if (isTooComplex(source)) return <PlainText text={block.text} />;
  return (
    <ErrorBoundary shows={source} renderFallback={() => <PlainText text={block.text} />}>
      <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={(url) => url}>
        {source}
      </ReactMarkdown>
    </ErrorBoundary>
  );
});

const plugins = [remarkGfm];

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
  table: ({ children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <section className="table-scroll" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
};
