import type { MarkedToken } from 'marked';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import type { Labels } from '../labels/english.ts';
import type { MarkdownProps } from '../props.ts';
import { Code, type CodeProps } from './Code.tsx';
import { drawText, plainText } from './drawText.tsx';
import { decodeEntities } from './entities.ts';
import { type Formula, unmask } from './formulas.ts';
import { markedTokens } from './lex.ts';
import { maxDepth } from './limits.ts';
import { Link } from './Link.tsx';
import { RemotePicture } from './RemotePicture.tsx';
import { Table } from './Table.tsx';
import { visible } from '../base/visible.ts';

/** What drawing the tokens of a block needs beside them. */
export interface Drawing {
  readonly labels: Labels['markdown'];
  readonly formulas: readonly Formula[];
  readonly math: MarkdownProps['math'];
  readonly onLink: MarkdownProps['onLink'];
  readonly allowImage: MarkdownProps['allowImage'];
  readonly isInert: MarkdownProps['isInert'];
  readonly code: Omit<CodeProps, 'language' | 'text'>;
  readonly depth: number;
  /** Within a link nothing else can be pressed. */
  readonly isInLink: boolean;
}

/** Returns tokens as elements. No token becomes HTML: what is written as HTML is shown as text. */
export function draw(tokens: readonly MarkedToken[], drawing: Drawing): ReactNode {
  if (drawing.depth > maxDepth) return tokens.map(({ raw }) => raw).join('');
  // A block only grows at its end, so the index is a stable key.
  return tokens.map((token, index) => <Fragment key={index}>{drawToken(token, drawing)}</Fragment>);
}

function drawToken(token: MarkedToken, drawing: Drawing): ReactNode {
  const { labels, formulas } = drawing;
  const inner = (tokens: MarkdownTokens): ReactNode =>
    draw(markedTokens(tokens), { ...drawing, depth: drawing.depth + 1 });
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'text':
      return token.tokens === undefined ? drawText(decodeEntities(token.text), drawing) : inner(token.tokens);
    case 'escape':
      return token.text;
    case 'strong':
      return <strong>{inner(token.tokens)}</strong>;
    case 'em':
      return <em>{inner(token.tokens)}</em>;
    case 'del':
      return <del>{inner(token.tokens)}</del>;
    case 'codespan':
      return <code>{visible(unmask(token.text, formulas))}</code>;
    case 'br':
      return <br />;
    case 'html':
      return drawHTML(token.raw, token.block, formulas);
    case 'link': {
      const url = token.autolink === true ? token.href : decodeEntities(token.href);
      return (
        <Link
          url={unmask(url, formulas)}
          labels={labels}
          onLink={drawing.onLink}
          isInert={drawing.isInert}
          text={plainText(token, formulas)}
        >
          {token.autolink === true
            ? token.text
            : draw(markedTokens(token.tokens), { ...drawing, depth: drawing.depth + 1, isInLink: true })}
        </Link>
      );
    }
    case 'image': {
      const alt = unmask(decodeEntities(token.text), formulas);
      if (drawing.isInLink) return alt === '' ? labels.picture : alt;
      const url = unmask(decodeEntities(token.href), formulas);
      return (
        <RemotePicture url={url} alt={alt} labels={labels} allowImage={drawing.allowImage} isInert={drawing.isInert} />
      );
    }
    case 'paragraph':
      return <p>{inner(token.tokens)}</p>;
    case 'heading':
      return drawHeading(token.depth, inner(token.tokens));
    case 'hr':
      return <hr />;
    case 'blockquote':
      return <blockquote dir="auto">{inner(token.tokens)}</blockquote>;
    case 'code': {
      const [language = ''] = (token.lang ?? '').split(/\s/u);
      return <Code {...drawing.code} language={language} text={unmask(token.text, formulas)} />;
    }
    case 'list': {
      const items = inner(token.items);
      if (!token.ordered) return <ul dir="auto">{items}</ul>;
      return (
        <ol dir="auto" start={token.start === '' ? 1 : token.start}>
          {items}
        </ol>
      );
    }
    case 'list_item':
      return <li data-state={token.task ? 'task' : undefined}>{inner(token.tokens)}</li>;
    case 'checkbox':
      return <TaskMark isDone={token.checked} labels={labels} />;
    case 'table':
      return <Table table={token} labels={labels} draw={({ tokens }) => inner(tokens)} />;
  }
}

type MarkdownTokens = Parameters<typeof markedTokens>[0];

/** A line break is drawn, since tables have no other; a comment is not. */
function drawHTML(html: string, isBlock: boolean, formulas: readonly Formula[]): ReactNode {
  if (/^<br\s*\/?>$/iu.test(html)) return <br />;
  const text = unmask(html, formulas).replaceAll(/<!--[^]*?(?:-->|$)/gu, '');
  if (text.trim() === '') return null;
  return isBlock ? <p className="bk-source-text">{text.trimEnd()}</p> : text;
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

function drawHeading(depth: number, content: ReactNode): ReactElement {
  const Heading = headings[depth - 1] ?? 'h6';
  return <Heading>{content}</Heading>;
}

interface TaskMarkProps {
  readonly isDone: boolean;
  readonly labels: Labels['markdown'];
}

/** The box of a task: a picture, because it cannot be checked here. */
function TaskMark({ isDone, labels }: TaskMarkProps): ReactElement {
  return (
    <span
      className="bk-task-mark"
      data-state={isDone ? 'done' : 'open'}
      role="img"
      aria-label={isDone ? labels.done : labels.notDone}
    />
  );
}
