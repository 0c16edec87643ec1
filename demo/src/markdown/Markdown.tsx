import { memo, type ReactElement, useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { type Block, toBlocks } from './blocks.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { ExternalLink } from './ExternalLink.tsx';
import { RemoteImage } from './RemoteImage.tsx';

/**
 * Renders untrusted Markdown while it streams: no raw HTML, no picture is loaded without consent, every link shows its address.
 * Finished blocks are not parsed again.
 */
export function Markdown({ text }: { readonly text: string }): ReactElement {
  const { blocks, definitions } = useMemo(() => toBlocks(text), [text]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // The index is a stable key: the text only grows at its end.
        <MarkdownBlock key={index} {...block} definitions={mayRefer(block) ? definitions : ''} />
      ))}
    </div>
  );
}

/** All props are strings and booleans, so that `memo` skips an unchanged block. */
const MarkdownBlock = memo(function MarkdownBlock(block: Block & { readonly definitions: string }): ReactElement {
  if (block.kind === 'code') return <CodeBlock language={block.language} text={block.text} />;
  const source = block.definitions === '' ? block.text : `${block.text}\n\n${block.definitions}`;
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={(url) => url}>
      {source}
    </ReactMarkdown>
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

function mayRefer(block: Block): boolean {
  return block.kind === 'markdown' && block.text.includes('[');
}
