import type { Message } from 'brooklet';
import type { UseChatResult } from 'brooklet/react';
import { type Components, PartsProvider, Thread } from 'brooklet/ui';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { labelsOf } from '../texts/labels.ts';
import { typesetter } from '../markdown/FormulaView.tsx';
import { highlighter, Markdown } from '../markdown/Markdown.tsx';
import type { Texts } from '../texts/en/en.ts';
import type { Taken } from './taken.ts';

const components: Components = { Markdown };

/** Returns messages as the person saw them, without a button and without a script: an element that nothing changes any more. */
export async function toPaper({ title, messages }: Taken, texts: Texts): Promise<HTMLElement> {
  await Promise.all([highlighter.load(), typesetter.load()]);
  const host = document.createElement('div');
  const root = createRoot(host);
  flushSync(() =>
    root.render(
      <PartsProvider labels={labelsOf(texts)} components={components}>
        <Thread isWhole chat={still(messages)} />
      </PartsProvider>,
    ),
  );
  const log = host.querySelector('[role=log]')?.cloneNode(true);
  root.unmount();
  const paper = document.createElement('main');
  paper.className = 'bk-chat paper';
  const heading = document.createElement('h1');
  heading.dir = 'auto';
  heading.textContent = title === '' ? texts.common.untitled : title;
  paper.append(heading);
  if (log instanceof HTMLElement) {
    log.removeAttribute('aria-live');
    log.removeAttribute('aria-busy');
    log.removeAttribute('role');
    log.removeAttribute('aria-label');
    paper.append(log);
  }
  withoutControls(paper);
  await drawDiagrams(paper, texts.pane.diagram);
  return paper;
}

const nothing = async (): Promise<undefined> => undefined;
const never = async (): Promise<boolean> => false;
const ignore = (): void => {};
const none: readonly never[] = [];

/** A chat in which nothing happens. */
function still(messages: readonly Message[]): UseChatResult {
  return {
    session: undefined,
    sessionId: undefined,
    messages,
    status: 'idle',
    isSubmitted: false,
    isStreaming: false,
    outcome: undefined,
    isCut: false,
    resuming: undefined,
    limit: undefined,
    error: undefined,
    queue: none,
    approvals: none,
    retrying: undefined,
    hasClient: false,
    isLoading: false,
    send: nothing,
    stop: ignore,
    alternatives: () => undefined,
    clearError: ignore,
    unqueue: never,
    regenerate: nothing,
    resume: nothing,
    edit: nothing,
    selectAlternative: never,
    fork: nothing,
    attach: nothing,
    approve: never,
    reject: never,
    answer: never,
  };
}

/** What a button shows that stays: a picture, the name of a file, or of a picture that was not loaded. */
const shown = '.bk-picture-button, .bk-file, .bk-remote-picture';

/** Removes what can be pressed. A part that is folded is its line. */
function withoutControls(paper: HTMLElement): void {
  for (const button of paper.querySelectorAll('button')) {
    if (!button.matches(shown)) {
      button.remove();
      continue;
    }
    const place = document.createElement('span');
    place.className = button.classList.contains('bk-picture-button') ? '' : 'bk-file';
    // What the button would have done.
    button.querySelector('small')?.remove();
    place.append(...button.childNodes);
    button.replaceWith(place);
  }
  // The reasoning was closed, and is no part of the answer.
  for (const reasoning of paper.querySelectorAll('.bk-reasoning')) reasoning.remove();
  for (const details of paper.querySelectorAll('details')) {
    const summary = details.querySelector('summary');
    if (details.open || !summary) continue;
    const line = document.createElement('p');
    line.className = 'bk-hint paper-line';
    const texts = [...summary.children].filter((part) => !part.matches('svg, .bk-hidden, progress'));
    line.textContent =
      texts
        .map((part) => part.textContent)
        .filter((text) => text !== '')
        .join(' · ') || summary.textContent;
    details.replaceWith(line);
  }
}

/** Puts a picture in the place of each diagram that can be drawn. */
async function drawDiagrams(paper: HTMLElement, alt: string): Promise<void> {
  for (const block of paper.querySelectorAll('.bk-code-block')) {
    if (block.querySelector('.bk-code-language')?.textContent !== 'mermaid') continue;
    try {
      const [{ drawDiagram }, { toSource }] = await Promise.all([
        import('../pane/diagrams.ts'),
        import('../pane/Diagram.tsx'),
      ]);
      const picture = document.createElement('img');
      picture.className = 'diagram';
      picture.alt = alt;
      picture.src = toSource(await drawDiagram(block.querySelector('code')?.textContent ?? '', false));
      block.replaceWith(picture);
    } catch {
      // The source stays.
    }
  }
}
