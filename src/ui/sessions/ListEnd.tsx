import type { ReactElement, ReactNode } from 'react';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import type { SessionListSource } from './props.ts';

interface ListEndProps {
  readonly source: SessionListSource;
  readonly count: number;
  readonly search: string;
  readonly empty: ReactNode;
  readonly words: SessionsLabels;
}

/** What follows the last session: why there is none, an error, the next page, or how many there are. */
export function ListEnd({ source, count, search, empty, words }: ListEndProps): ReactElement {
  const { hasStore = true, isLoading = false, error, hasMore = false, isLoadingMore = false, loadMore } = source;
  const isEmpty = count === 0 && !isLoading && !hasMore;
  return (
    <>
      {error && (
        <p className="bk-bad bk-session-note" role="alert">
          <strong>{words.failed}</strong> {words.cures[error.code] ?? error.message}
        </p>
      )}
      {isLoading && <p className="bk-hint bk-session-note">{words.loading}</p>}
      {isEmpty && !error && (
        <div className="bk-hint bk-session-note">
          {!hasStore ? words.noStore : search.trim() === '' ? (empty ?? words.empty) : words.notFound(search.trim())}
        </div>
      )}
      {hasMore && loadMore && (
        <button
          type="button"
          className="bk-more"
          aria-disabled={isLoadingMore}
          onClick={() => isLoadingMore || loadMore()}
        >
          {isLoadingMore ? words.loading : words.more}
        </button>
      )}
      {count > 0 && !hasMore && !isLoading && <p className="bk-hint bk-session-note">{words.end(count)}</p>}
    </>
  );
}
