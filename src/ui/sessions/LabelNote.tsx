import type { ReactElement } from 'react';
import type { SessionSummary } from '../../index.ts';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import { labelsOf } from './labelsOf.ts';

interface LabelNoteProps {
  readonly session: SessionSummary;
  /** The label that the list is filtered by: every row has it. */
  readonly except: string | undefined;
  readonly words: SessionsLabels;
}

/** The first label of a session, and the number of the others. */
export function LabelNote({ session, except, words }: LabelNoteProps): ReactElement | null {
  const labels = labelsOf(session);
  const [first, ...others] = labels.filter((label) => label !== except);
  if (first === undefined) return null;
  return (
    <span className="bk-session-labels" title={words.labels(labels)}>
      <bdi>{first}</bdi>
      {others.length > 0 && <span>+{others.length}</span>}
    </span>
  );
}
