import type { ReactElement } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './CodeBlock.tsx';
import { ExternalLink } from './ExternalLink.tsx';
import { RemoteImage } from './RemoteImage.tsx';
import { Table } from './Table.tsx';
import { TaskMark } from './TaskMark.tsx';

/** Markdown without raw HTML. */
export function RenderedMarkdown({ source }: { readonly source: string }): ReactElement {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={(url) => url}>
      {source}
    </ReactMarkdown>
  );
}

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
  table: ({ children }) => <Table>{children}</Table>,
  // The only inputs of Markdown are the boxes of task lists.
  input: ({ checked }) => <TaskMark isDone={checked === true} />,
};
