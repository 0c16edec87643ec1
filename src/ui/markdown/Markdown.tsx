import { memo, type ReactElement, useMemo } from 'react';
import { ErrorBoundary } from '../base/ErrorBoundary.tsx';
import { part } from '../base/part.ts';
import type { Labels } from '../labels/english.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { MarkdownProps } from '../props.ts';
import { type Block, definitionsFor } from './blocks.ts';
import { closeMarkdown } from './closeMarkdown.ts';
import { Code } from './Code.tsx';
import { draw } from './draw.tsx';
import { maskFormulas } from './formulas.ts';
import { lex } from './lex.ts';
import { isTooComplex } from './limits.ts';
import { PlainText } from './PlainText.tsx';
import { split } from './split.ts';
import { useRevealed } from './useRevealed.ts';

/**
 * Untrusted Markdown, also while it streams: no HTML, no picture of another host without consent, every link shows its address. A finished
 * block is not parsed or rendered again. A block that cannot be rendered, or that would block the page, is shown as plain text.
 */
export function Markdown(props: MarkdownProps): ReactElement {
  const { text, isUnfinished = false, labels, className, ...slots } = props;
  const words = useLabels('markdown', labels);
  const { blocks, definitions, rest, leftOut } = useMemo(() => split(text), [text]);
  const count = useRevealed(blocks);
  return (
    <div {...part('markdown', className, isUnfinished ? 'growing' : 'complete')}>
      {blocks.slice(0, count).map((block, index) => (
        // The index is a stable key: the text only grows at its end.
        <MarkdownBlock
          key={index}
          {...block}
          {...slots}
          words={words}
          definitions={definitionsFor(block, definitions)}
          isUnfinished={isUnfinished && index === blocks.length - 1}
        />
      ))}
      {rest !== '' && count === blocks.length && <PlainText text={rest} leftOut={leftOut} labels={words} />}
    </div>
  );
}

type Slots = Pick<MarkdownProps, 'onLink' | 'allowImage' | 'highlight' | 'math' | 'renderCode' | 'isInert'>;

type MarkdownBlockProps = Block &
  Slots & { readonly words: Labels['markdown']; readonly definitions: string; readonly isUnfinished: boolean };

/** Invariant: all props of a finished block are the same values as before, so that `memo` skips it. */
const MarkdownBlock = memo(function MarkdownBlock(block: MarkdownBlockProps): ReactElement {
  const { words, text, isUnfinished } = block;
  if (block.kind === 'code')
    return (
      <Code
        language={block.language}
        text={text}
        isGrowing={isUnfinished && !block.isClosed}
        highlight={block.highlight}
        renderCode={block.renderCode}
      />
    );
  const content = (
    <ErrorBoundary shows={block} renderFallback={() => <PlainText text={text} labels={words} />}>
      <Rendered {...block} />
    </ErrorBoundary>
  );
  if (block.kind === 'markdown') return content;
  return (
    <div className="bk-note" role="note" aria-label={words.note(block.label)}>
      <span aria-hidden="true">{block.label}</span>
      <div>{content}</div>
    </div>
  );
});

interface RenderedProps extends Slots {
  readonly words: Labels['markdown'];
  readonly text: string;
  readonly definitions: string;
  readonly isUnfinished: boolean;
}

function Rendered(props: RenderedProps): ReactElement {
  const { text, definitions, isUnfinished, words, math, onLink, allowImage, isInert, highlight, renderCode } = props;
  const hasMath = math !== undefined;
  const parsed = useMemo(() => {
    const { text: masked, formulas } = hasMath ? maskFormulas(text, isUnfinished) : { text, formulas: [] };
    const closed = isUnfinished ? closeMarkdown(masked) : masked;
    const source = definitions === '' ? closed : `${closed}\n\n${definitions}`;
    return isTooComplex(source) ? undefined : { tokens: lex(source), formulas };
  }, [text, definitions, isUnfinished, hasMath]);
  if (parsed === undefined) return <PlainText text={text} labels={words} />;
  const { tokens, formulas } = parsed;
  return (
    <>
      {draw(tokens, {
        labels: words,
        formulas,
        math,
        onLink,
        allowImage,
        isInert,
        code: { isGrowing: isUnfinished, highlight, renderCode },
        depth: 0,
        isInLink: false,
      })}
    </>
  );
}
