import type { MarkedToken } from 'marked';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import type { MarkdownProps } from '../props.ts';
import { decodeEntities } from './entities.ts';
import { type Formula, splitFormulas, unmask } from './formulas.ts';
import { markedTokens } from './lex.ts';

interface TextDrawing {
  readonly formulas: readonly Formula[];
  readonly math: MarkdownProps['math'];
}

const footnote = /\[\^([^\]\s]+)\]/gu;

/** Returns a text with its formulas and its references to footnotes. */
export function drawText(text: string, { formulas, math }: TextDrawing): ReactNode {
  const pieces = formulas.length === 0 ? [text] : splitFormulas(text, formulas);
  return pieces.map((piece, index) => (
    // A text only grows at its end, so the index is a stable key.
    <Fragment key={index}>
      {typeof piece === 'string' ? withNotes(piece) : <FormulaView formula={piece} math={math} />}
    </Fragment>
  ));
}

/** Draws a reference to a footnote as its label. It is not a link: the hash of the page's address belongs to the page. */
function withNotes(text: string): ReactNode {
  if (!text.includes('[^')) return text;
  // Every second piece is a label.
  return text.split(footnote).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      // A text only grows at its end, so the index is a stable key.
      <sup key={index} className="bk-note-mark">
        {piece}
      </sup>
    ),
  );
}

interface FormulaViewProps {
  readonly formula: Formula;
  readonly math: MarkdownProps['math'];
}

/** A formula as the page typesets it. One that still streams, or that cannot be typeset, is shown as code. */
function FormulaView({ formula, math }: FormulaViewProps): ReactElement | null {
  const { source, tex, isDisplay, isClosed } = formula;
  if (tex === '') return null;
  const typeset = isClosed ? math?.(tex, isDisplay, source) : undefined;
  if (typeset === undefined) return <code>{tex}</code>;
  return (
    <span className="bk-formula" data-state={isDisplay ? 'display' : 'inline'}>
      {typeset}
    </span>
  );
}

/** Returns what a person reads of a token, as text. */
export function plainText(token: MarkedToken, formulas: readonly Formula[]): string {
  if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0)
    return markedTokens(token.tokens)
      .map((inner) => plainText(inner, formulas))
      .join('');
  return 'text' in token ? unmask(decodeEntities(token.text), formulas) : '';
}
