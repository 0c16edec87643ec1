import { Markdown as Base, type MarkdownProps } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { FormulaView } from './FormulaView.tsx';
import { lazyModule } from './lazyModule.ts';
import '../styles/markdown.css';

/** The highlighter. Until it is there, code has one colour. */
export const highlighter = lazyModule(() => import('./highlight.tsx'));

/** Markdown as Studio shows it: with coloured code and formulas, which load when a text has them. */
export function Markdown(props: MarkdownProps): ReactElement {
  return <Base {...props} highlight={highlightCode} math={typesetFormula} />;
}

export const highlightCode: NonNullable<MarkdownProps['highlight']> = (language, text) => (
  <Highlighted language={language} text={text} />
);

const typesetFormula: NonNullable<MarkdownProps['math']> = (tex, isDisplay, source) => (
  <FormulaView tex={tex} isDisplay={isDisplay} source={source} />
);

interface HighlightedProps {
  readonly language: string;
  readonly text: string;
}

function Highlighted({ language, text }: HighlightedProps): ReactElement {
  const module = highlighter.useModule();
  return <>{module === undefined ? text : module.highlight(language, text)}</>;
}
