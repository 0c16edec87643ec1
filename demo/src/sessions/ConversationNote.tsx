import type { SessionSummary } from 'brooklet';
import type { ReactElement, ReactNode } from 'react';
import { titleOf } from '../texts/titleOf.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { forkedFrom } from '../model/metadata.ts';

interface ConversationNoteProps {
  readonly session: SessionSummary;
  /** What the list shows by itself: the first label. */
  readonly usual: ReactNode;
}

/** What stands after the title: what the conversation waits for, else from what it was forked, and its labels. */
export function ConversationNote({ session, usual }: ConversationNoteProps): ReactElement {
  const texts = useTexts();
  const { sessions: words, common } = texts;
  const { waiting = [], metadata } = session;
  const [waits] = waiting;
  const origin = forkedFrom(metadata);
  if (waits) return <bdi className="session-waits">{words.waits(titleOf(texts, waits.name), waiting.length - 1)}</bdi>;
  const from = origin === undefined ? undefined : words.forkedFrom(origin || common.untitled);
  return (
    <>
      {from !== undefined && (
        <span className="session-fork" role="img" aria-label={from} title={from}>
          <Icon name="branch" />
        </span>
      )}
      {usual}
    </>
  );
}
