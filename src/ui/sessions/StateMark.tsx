import type { ReactElement } from 'react';
import type { SessionSummary } from '../../index.ts';
import type { SessionsLabels } from '../labels/sessions-english.ts';

interface StateMarkProps {
  readonly session: SessionSummary;
  readonly isUnread: boolean;
  readonly words: SessionsLabels;
}

/** What a session does or waits for: a coloured mark with a name. */
export function StateMark({ session, isUnread, words }: StateMarkProps): ReactElement | null {
  const [state, label] = stateOf(session, isUnread, words) ?? [];
  if (state === undefined) return null;
  return <span className="bk-mark" role="img" data-state={state} aria-label={label} title={label} />;
}

function stateOf(
  { status, waiting = [] }: SessionSummary,
  isUnread: boolean,
  words: SessionsLabels,
): readonly [state: string, label: string] | undefined {
  // A call may wait beside one that runs, and in a run that was interrupted.
  if (waiting.length > 0) return ['waiting', words.waitingFor(waiting.map(({ label, name }) => label ?? name))];
  if (status === 'waiting') return ['waiting', words.waiting];
  if (status === 'running') return ['running', words.running];
  if (isUnread) return ['unread', words.unread];
  if (status === 'interrupted' || status === 'failed') return ['unfinished', words.unfinished];
  return undefined;
}
