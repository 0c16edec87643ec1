import type { ReactElement } from 'react';
import type { ModelLabels } from '../labels/model-english.ts';
import type { ModelList } from './useModels.ts';

interface ListNotesProps {
  readonly list: ModelList;
  readonly isEmpty: boolean;
  readonly isSearching: boolean;
  readonly words: ModelLabels;
}

/** What is to be said of the list: that it is being read, why it could not be read, that nothing matches. */
export function ListNotes({ list, isEmpty, isSearching, words }: ListNotesProps): ReactElement | null {
  const { isLoading, error, retry } = list;
  if (error)
    return (
      <div className="bk-models-note">
        <p className="bk-bad" role="alert">
          <strong>{words.failed}</strong> {words.causes[error.code] ?? error.message}
        </p>
        <button type="button" className="bk-button" onClick={retry}>
          {words.retry}
        </button>
      </div>
    );
  if (isLoading) return <p className="bk-hint bk-models-note">{words.loading}</p>;
  if (isEmpty) return <p className="bk-hint bk-models-note">{isSearching ? words.noMatch : words.empty}</p>;
  return null;
}
