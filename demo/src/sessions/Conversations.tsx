import type { SessionSummary } from 'brooklet';
import { useAgent } from 'brooklet/react';
import { english, type SessionAction, SessionList } from 'brooklet/ui';
import { type ReactElement, useDeferredValue, useMemo, useState } from 'react';
import { Lists } from '../base/Lists.tsx';
import { reviewHref, sessionHref } from '../base/route.ts';
import { ariaKeys, keys } from '../base/shortcuts.ts';
import { openOverlay } from '../base/overlay.ts';
import { titleOf } from '../texts/titleOf.ts';
import { useTexts } from '../texts/useTexts.ts';
import { showUndo } from '../toast/toasts.ts';
import { Icon } from '../ui/Icon.tsx';
import { exportSessions, removeSessions, restoreSessions } from './actions.ts';
import { ConversationNote } from './ConversationNote.tsx';
import { isUnfiltered, notArchived } from '../model/metadata.ts';
import { useKnown } from './useKnown.ts';
import { useListedSessions } from './useListedSessions.ts';

interface ConversationsProps {
  readonly current: string | undefined;
  readonly onNavigate: () => void;
}

/** The stored conversations: the list of the package, with what Studio can do beside it. */
export function Conversations(props: ConversationsProps): ReactElement {
  return (
    <Lists>
      <Listed {...props} />
    </Lists>
  );
}

function Listed({ current, onNavigate }: ConversationsProps): ReactElement {
  const texts = useTexts();
  const { sessions: words, common, parts } = texts;
  const agent = useAgent();
  const [search, setSearch] = useState('');
  const [where, setWhere] = useState(notArchived);
  const searched = useDeferredValue(search.trim());
  const list = useListedSessions({ search: searched, current, where });
  const { labels, hasArchive, refresh } = useKnown(list.sessions);
  const isAll = isUnfiltered(where);

  const actionsOf = (some: readonly SessionSummary[], usual: readonly SessionAction[]): readonly SessionAction[] => {
    const [first, ...others] = some;
    const one = others.length === 0 ? first : undefined;
    const exporting = { name: 'export', label: words.exportOne, icon: <Icon name="download" /> };
    return [
      ...usual.filter(({ name }) => name !== 'remove'),
      ...(one
        ? [
            {
              name: 'review',
              label: words.review,
              icon: <Icon name="history" />,
              href: reviewHref({ sessionId: one.id }),
            },
          ]
        : []),
      { ...exporting, onSelect: () => void exportSessions(agent, some) },
      ...(one
        ? [
            {
              name: 'share',
              label: words.share,
              icon: <Icon name="link" />,
              onSelect: () =>
                openOverlay({ is: 'share', session: { id: one.id, title: one.title || common.untitled } }),
            },
          ]
        : []),
      ...usual.filter(({ name }) => name === 'remove'),
    ];
  };
  const ownWords = useMemo(() => {
    const waitingFor = parts.sessions?.waitingFor ?? english.sessions.waitingFor;
    return {
      untitled: common.untitled,
      waitingFor: (calls: readonly string[]) => waitingFor(calls.map((call) => titleOf(texts, call))),
    };
  }, [texts, parts, common]);

  return (
    <SessionList
      sessions={list}
      current={current}
      href={sessionHref}
      onOpen={onNavigate}
      actions={actionsOf}
      renderNote={(session, usual) => <ConversationNote session={session} usual={usual} />}
      onRemove={(some) => removeSessions(agent, some)}
      onUndo={(some) => restoreSessions(agent, some)}
      onUndoable={({ text, undo }) => {
        refresh();
        showUndo(text, () => {
          undo();
          refresh();
        });
      }}
      where={where}
      onWhere={labels.length > 0 || hasArchive || !isAll ? setWhere : undefined}
      allLabels={labels}
      search={search}
      onSearch={setSearch}
      searchKey={ariaKeys(keys.search)}
      empty={isAll ? words.empty : words.nothingHere}
      labels={ownWords}
    />
  );
}
