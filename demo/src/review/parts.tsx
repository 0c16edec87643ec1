import { type Components, Markdown, type MarkdownProps } from 'brooklet/ui';
import { highlighter } from '../markdown/CodeBlock.tsx';
import { FormulaView } from '../markdown/FormulaView.tsx';
import type { ReactElement } from 'react';

/** What the person saw, with coloured code and formulas as in the conversation. */
export const parts: Components = { Markdown: ReviewMarkdown };

function ReviewMarkdown(props: MarkdownProps): ReactElement {
  return <Markdown {...props} highlight={highlight} math={math} />;
}

const highlight: NonNullable<MarkdownProps['highlight']> = (language, text) => (
  <Highlighted language={language} text={text} />
);

const math: NonNullable<MarkdownProps['math']> = (tex, isDisplay) => (
  <FormulaView tex={tex} source={tex} isDisplay={isDisplay} isClosed />
);

function Highlighted({ language, text }: { readonly language: string; readonly text: string }): ReactElement {
  const module = highlighter.useModule();
  return <>{module === undefined ? text : module.highlight(language, text)}</>;
}
