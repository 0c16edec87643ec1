import { useState } from 'react';
import type { JsonObject, SessionSummary } from '../../index.ts';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import { isArchived } from './groups.ts';
import type { SessionListSource, UndoableChange } from './props.ts';

/** New labels of a session, and those before. */
export interface LabelChange {
  readonly sessionId: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Changes of the metadata of sessions that can be undone. */
export interface Changes {
  /** The last one, while it can be undone. */
  readonly last: UndoableChange | undefined;
  readonly archive: (sessions: readonly SessionSummary[], isArchived: boolean) => void;
  readonly label: (changes: readonly LabelChange[], label: string, isAdded: boolean) => void;
  readonly forget: () => void;
}

interface Change {
  readonly sessionId: string;
  readonly to: JsonObject;
  readonly back: JsonObject;
}

/** Sessions that are changed at once: each is opened for it. */
const atOnce = 8;

interface ChangeWays extends Pick<SessionListSource, 'setMetadata'> {
  /** Called with a change in the place of `last`. */
  readonly report: ((change: UndoableChange) => void) | undefined;
  /** For a screen reader, where nothing is reported. */
  readonly say: (text: string) => void;
  readonly words: SessionsLabels;
}

export function useChanges({ setMetadata, report, say, words }: ChangeWays): Changes {
  const [last, setLast] = useState<UndoableChange>();
  const set = async (changes: readonly Change[], way: 'to' | 'back'): Promise<void> => {
    for (let from = 0; from < changes.length; from += atOnce)
      await Promise.all(
        changes.slice(from, from + atOnce).map((change) => setMetadata?.(change.sessionId, change[way])),
      );
  };
  const apply = (changes: readonly Change[], text: string): void => {
    if (changes.length === 0) return;
    void set(changes, 'to');
    const undo = (): void => {
      setLast(undefined);
      void set(changes, 'back');
    };
    if (report) {
      report({ text, undo });
      return;
    }
    say(text);
    setLast({ text, undo });
  };
  return {
    last,
    archive(sessions, isOn) {
      const changed = sessions.filter((session) => isArchived(session) !== isOn);
      const [first] = changed;
      const title = first?.title || words.untitled;
      const many = isOn ? words.archivedMany : words.unarchivedMany;
      const one = isOn ? words.archivedNow : words.unarchivedNow;
      apply(
        changed.map(({ id }) => ({ sessionId: id, to: toArchived(isOn), back: toArchived(!isOn) })),
        changed.length === 1 ? one(title) : many(changed.length),
      );
    },
    label: (changes, label, isAdded) =>
      apply(
        changes.map(({ sessionId, before, after }) => ({ sessionId, to: toLabels(after), back: toLabels(before) })),
        (isAdded ? words.labelled : words.unlabelled)(label, changes.length),
      ),
    forget: () => setLast(undefined),
  };
}

const toArchived = (isOn: boolean): JsonObject => ({ archived: isOn ? true : null });
const toLabels = (labels: readonly string[]): JsonObject => ({ labels: labels.length > 0 ? [...labels] : null });
