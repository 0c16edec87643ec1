import type { ReactElement } from 'react';
import { useParts } from '../parts.ts';
import type { MarkdownProps } from '../props.ts';
import { CodeBlock } from './CodeBlock.tsx';

/** Props of `Code`. */
export interface CodeProps extends Pick<MarkdownProps, 'highlight' | 'renderCode'> {
  readonly language: string;
  readonly text: string;
  readonly isGrowing: boolean;
}

/** A block of code as the page shows it, else as a `CodeBlock`. */
export function Code({ language, text, isGrowing, highlight, renderCode }: CodeProps): ReactElement {
  const { CodeBlock: Part = CodeBlock } = useParts();
  const own = renderCode?.({ language, text, isGrowing });
  return own === undefined ? (
    <Part language={language} text={text} isGrowing={isGrowing} highlight={highlight} />
  ) : (
    <>{own}</>
  );
}
