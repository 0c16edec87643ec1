import type { SessionSummary } from 'brooklet';
import { memo, type ReactElement, useState } from 'react';
import { titleOf } from '../texts/titleOf.ts';
import { reviewHref, sessionHref } from '../route.ts';
import { openOverlay } from '../shell/overlay.ts';
import { formatFullMoment, formatMoment } from '../texts/format.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Menu } from '../ui/Menu.tsx';
import { readMetadata } from './metadata.ts';
import { TitleField } from './TitleField.tsx';

/** What can be done with a row. The functions must be stable: a row is rendered only when it changes. */
export interface SessionRowActions {
  readonly onOpen: () => void;
  readonly onRename: (summary: SessionSummary, title: string) => void;
  readonly onPin: (summary: SessionSummary, isPinned: boolean) => void;
  readonly onExport: (summary: SessionSummary) => void;
  readonly onRemove: (summary: SessionSummary) => void;
}

interface SessionRowProps {
  readonly summary: SessionSummary;
  readonly isCurrent: boolean;
  /** The start of today, in ms since the epoch. */
  readonly today: number;
  readonly actions: SessionRowActions;
}

/** One session in the list: a link, its last change or what it waits for, and a menu. */
export const SessionRow = memo(function SessionRow({
  summary,
  isCurrent,
  today,
  actions,
}: SessionRowProps): ReactElement {
  const texts = useTexts();
  const { sessions: words, common } = texts;
  const [isRenaming, setIsRenaming] = useState(false);
  const { id, updatedAt, waiting = [], metadata } = summary;
  const [waits] = waiting;
  const title = summary.title || common.untitled;
  const { isPinned } = readMetadata(metadata);

  if (isRenaming)
    return (
      <li className="session renaming" data-session={id}>
        <TitleField
          title={summary.title}
          onDone={(title) => {
            setIsRenaming(false);
            if (title !== undefined) actions.onRename(summary, title);
            focusRow(id);
          }}
        />
      </li>
    );

  return (
    <li className="session" data-session={id}>
      <a href={sessionHref(id)} aria-current={isCurrent ? 'page' : undefined} title={title} onClick={actions.onOpen}>
        <bdi className="session-title">{title}</bdi>
        <StatusMark summary={summary} />
        {waits ? (
          <bdi className="session-time waits">{words.waits(titleOf(texts, waits.name), waiting.length - 1)}</bdi>
        ) : (
          <time
            className="session-time"
            dateTime={new Date(updatedAt).toISOString()}
            title={formatFullMoment(texts, updatedAt)}
          >
            {formatMoment(texts, updatedAt, today)}
          </time>
        )}
      </a>
      <span className="session-verbs">
        <Menu
          label={words.actions(title)}
          title={words.more}
          items={[
            {
              label: isPinned ? words.unpin : words.pin,
              icon: 'pin',
              onSelect: () => actions.onPin(summary, isPinned),
            },
            { label: words.rename, icon: 'edit', onSelect: () => setIsRenaming(true) },
            { label: words.review, icon: 'history', href: reviewHref({ sessionId: id }) },
            { label: words.exportOne, icon: 'download', onSelect: () => actions.onExport(summary) },
            { label: words.share, icon: 'link', onSelect: () => openOverlay({ is: 'share', session: { id, title } }) },
            {
              label: words.remove,
              icon: 'trash',
              isDangerous: true,
              onSelect: () => {
                focusNeighbour(id);
                actions.onRemove(summary);
              },
            },
          ]}
        />
      </span>
    </li>
  );
});

function StatusMark({ summary }: { readonly summary: SessionSummary }): ReactElement | null {
  const texts = useTexts();
  const { sessions: words } = texts;
  const { status, waiting } = summary;
  // A call may wait beside one that runs, and in a run that was interrupted.
  switch (waiting ? 'waiting' : status) {
    case 'running':
      return <span className="mark running" role="img" aria-label={words.working} title={words.working} />;
    case 'waiting': {
      const label = waiting
        ? words.waitingFor(waiting.map((call) => call.label ?? titleOf(texts, call.name)))
        : words.waiting;
      return <span className="mark waiting" role="img" aria-label={label} title={label} />;
    }
    case 'interrupted':
    case 'failed':
      return <span className="mark failed" role="img" aria-label={words.unfinished} title={words.unfinished} />;
    case 'idle':
    case 'limit':
      return null;
  }
}

const linkOf = (id: string): HTMLElement | undefined => links().find((link) => sessionOf(link) === id);
const links = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-session] a')];
const sessionOf = (link: HTMLElement) => link.closest<HTMLElement>('[data-session]')?.dataset['session'];

function focusRow(id: string): void {
  // The link returns with the next render.
  requestAnimationFrame(() => linkOf(id)?.focus());
}

/** The focus would be lost with the row: the next one takes it, else the one before, else the page. */
function focusNeighbour(id: string): void {
  const all = links();
  const at = all.findIndex((link) => sessionOf(link) === id);
  const neighbour = all[at + 1] ?? all[at - 1] ?? document.getElementById('main');
  requestAnimationFrame(() => neighbour?.focus());
}
