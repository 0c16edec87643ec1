import { memo, type ReactElement, useMemo } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { type Block, definitionsFor, toBlocks } from './blocks.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { lazyModule } from './lazyModule.ts';
import { limitBlocks } from './limits.ts';
import { PlainText } from './PlainText.tsx';
import { useRevealed } from './useRevealed.ts';

/** The parser. Until it is there, a text is shown as it was written. */
export const renderer = lazyModule(() => import('./renderMarkdown.tsx'));

interface MarkdownProps {
  readonly text: string;
  /** Whether the end of the text has not arrived: what it has left open is closed. */
  readonly isUnfinished?: boolean;
}

/**
 * Renders untrusted Markdown while it streams: no raw HTML, no picture is loaded without consent, every link shows its address.
 * Finished blocks are not parsed again. A block that cannot be rendered, or that would block the page, is shown as plain text.
 */
export function Markdown({ text, isUnfinished = false }: MarkdownProps): ReactElement {
  const { blocks, definitions, rest } = useMemo(() => {
    const { blocks: all, definitions } = toBlocks(text);
    return { definitions, ...limitBlocks(all) };
  }, [text]);
  const count = useRevealed(blocks);
  return (
    <div className="markdown">
      {blocks.slice(0, count).map((block, index) => (
        // The index is a stable key: the text only grows at its end.
        <MarkdownBlock
          key={index}
          {...block}
          definitions={definitionsFor(block, definitions)}
          isUnfinished={isUnfinished && index === blocks.length - 1}
        />
      ))}
      {rest !== '' && count === blocks.length && <PlainText text={rest} />}
    </div>
  );
}

type MarkdownBlockProps = Block & { readonly definitions: string; readonly isUnfinished: boolean };

/** All props are strings and booleans, so that `memo` skips an unchanged block. */
const MarkdownBlock = memo(function MarkdownBlock(block: MarkdownBlockProps): ReactElement {
  const module = renderer.useModule(block.kind === 'markdown');
  if (block.kind === 'code')
    return <CodeBlock language={block.language} text={block.text} isGrowing={block.isUnfinished && !block.closed} />;
  const { text, definitions, isUnfinished } = block;
  if (module === undefined)
    return (
      <p dir="auto" className="source-text">
        {text}
      </p>
    );
  return (
    <ErrorBoundary shows={block} renderFallback={() => <PlainText text={text} />}>
      <module.RenderedMarkdown text={text} definitions={definitions} isUnfinished={isUnfinished} />
    </ErrorBoundary>
  );
});
