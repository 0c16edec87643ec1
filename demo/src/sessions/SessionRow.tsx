import type { SessionSummary, SessionStatus } from 'brooklet';
import { type ReactElement, useRef, useState } from 'react';
import { sessionHref } from '../route.ts';
import { Icon } from '../ui/Icon.tsx';

interface SessionRowProps {
  readonly summary: SessionSummary;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  readonly onRename: (title: string) => void;
  readonly onRemove: () => void;
}

/** One session in the list: a link, and buttons to rename and to delete it. */
export function SessionRow({ summary, isCurrent, onOpen, onRename, onRemove }: SessionRowProps): ReactElement {
  const [isRenaming, setIsRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const title = summary.title || 'Untitled';

  const finish = (title: string): void => {
    setIsRenaming(false);
    const trimmed = title.trim();
    if (trimmed !== '' && trimmed !== summary.title) onRename(trimmed);
    requestAnimationFrame(() => renameButton.current?.focus());
  };

  if (isRenaming) {
    return (
      <li className="session renaming">
        <input
          aria-label="Title"
          defaultValue={summary.title}
          maxLength={120}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here
          autoFocus
          onFocus={(event) => event.target.select()}
          onBlur={(event) => finish(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter') finish(event.currentTarget.value);
            if (event.key === 'Escape') {
              event.stopPropagation();
              finish('');
            }
          }}
        />
      </li>
    );
  }

  return (
    <li className="session">
      <a href={sessionHref(summary.id)} aria-current={isCurrent ? 'page' : undefined} title={title} onClick={onOpen}>
        <bdi className="session-title">{title}</bdi>
        <StatusMark status={summary.status} />
      </a>
      <span className="session-verbs">
        <button
          ref={renameButton}
          type="button"
          className="quiet small"
          aria-label={`Rename ${title}`}
          title="Rename"
          onClick={() => setIsRenaming(true)}
        >
          <Icon name="edit" />
        </button>
        <button type="button" className="quiet small" aria-label={`Delete ${title}`} title="Delete" onClick={onRemove}>
          <Icon name="trash" />
        </button>
      </span>
    </li>
  );
}

function StatusMark({ status }: { readonly status: SessionStatus }): ReactElement | null {
  switch (status) {
    case 'running':
      return <span className="mark running" role="img" aria-label="working" title="Working" />;
    case 'waiting':
      return (
        <span className="mark waiting" role="img" aria-label="waiting for you" title="Waiting for your decision" />
      );
    case 'interrupted':
    case 'failed':
      return <span className="mark failed" role="img" aria-label="did not finish" title="Did not finish" />;
    case 'idle':
    case 'limit':
      return null;
  }
}
