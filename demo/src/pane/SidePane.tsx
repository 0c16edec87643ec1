import { CodeBlock, CopyButton, Segments } from 'brooklet/ui';
import { type KeyboardEvent, type ReactElement, useLayoutEffect, useState } from 'react';
import { highlightCode, Markdown } from '../markdown/Markdown.tsx';
import { download } from '../base/download.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { useIsNarrow } from '../ui/useIsNarrow.ts';
import { Diagram } from './Diagram.tsx';
import { fileNameFor, kindOf } from './kinds.ts';
import { PageFrame } from './PageFrame.tsx';
import { type Beside, closePane } from './pane.ts';
import { Divider } from './Divider.tsx';
import '../styles/pane.css';

/** A long answer, code, a page or a diagram beside the conversation; over it on a phone. Escape closes it. */
export function SidePane({ shown }: { readonly shown: Beside }): ReactElement {
  const { pane: words } = useTexts();
  const isNarrow = useIsNarrow();
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const kind = kindOf(shown);
  const [view, setView] = useState<'drawn' | 'source'>('drawn');
  const hasViews = kind === 'page' || kind === 'diagram';

  // A layout effect: the dialog must still be in the page when it closes and restores the focus.
  useLayoutEffect(() => {
    // Over the page nothing else can be reached.
    if (frame instanceof HTMLDialogElement) frame.showModal();
    frame?.querySelector<HTMLElement>('.pane-close')?.focus();
    return () => {
      if (frame instanceof HTMLDialogElement) frame.close();
    };
  }, [frame]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // It stops no run.
    event.preventDefault();
    event.stopPropagation();
    closePane();
  };
  const content = (
    <>
      {!isNarrow && <Divider />}
      <header className="pane-head">
        <h2>{words.titles[kind]}</h2>
        {hasViews && (
          <Segments
            legend={words.view}
            options={[
              { value: 'drawn', label: words.drawn },
              { value: 'source', label: words.source },
            ]}
            value={view}
            onChange={setView}
          />
        )}
        <span className="bk-space" />
        <CopyButton label={words.copy} getText={() => shown.text} />
        <button
          type="button"
          className="quiet small"
          aria-label={words.save}
          title={words.save}
          onClick={() => download(shown.text, fileNameFor(shown))}
        >
          <Icon name="download" />
        </button>
        <button
          type="button"
          className="quiet small pane-close"
          aria-label={words.close}
          title={words.close}
          onClick={closePane}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="pane-body bk-chat">
        <Content shown={shown} isSource={view === 'source'} />
      </div>
    </>
  );
  return isNarrow ? (
    <dialog
      ref={setFrame}
      className="side-pane"
      aria-label={words.titles[kind]}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        closePane();
      }}
    >
      {content}
    </dialog>
  ) : (
    <aside ref={setFrame} className="side-pane" aria-label={words.titles[kind]} onKeyDown={onKeyDown}>
      {content}
    </aside>
  );
}

interface ContentProps {
  readonly shown: Beside;
  /** Whether the source of a page or of a diagram is wanted. */
  readonly isSource: boolean;
}

function Content({ shown, isSource }: ContentProps): ReactElement {
  if (shown.is === 'answer') return <Markdown text={shown.text} />;
  const { language, text } = shown;
  const source = <CodeBlock isWhole language={language} text={text} highlight={highlightCode} />;
  if (isSource) return source;
  switch (kindOf(shown)) {
    case 'page':
      return <PageFrame html={text} />;
    case 'diagram':
      return <Diagram text={text}>{source}</Diagram>;
    case 'answer':
    case 'code':
      return source;
  }
}
