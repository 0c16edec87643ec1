import type { ReactElement, ReactNode } from 'react';
import type { ElementRef } from '../../base/ElementRef.ts';
import { messageOf } from '../../base/messageOf.ts';
import { reviewPart } from '../reviewPart.ts';
import { useReviewTexts } from '../reviewTexts.ts';

interface NoSessionProps {
  readonly frame: ElementRef<HTMLDivElement>;
  readonly className: string | undefined;
  /** The path to the session. */
  readonly path: ReactNode;
  /** Why the session is not there; `undefined` while it is read. */
  readonly error: unknown;
  /** Returns to the session above; missing where there is none. */
  readonly onBack: (() => void) | undefined;
}

/** In the place of a session below that is being read, or is not there. */
export function NoSession({ frame, className, path, error, onBack }: NoSessionProps): ReactElement {
  const { tree: words } = useReviewTexts();
  const isMissing = error !== undefined;
  return (
    <div {...reviewPart(className)} ref={frame}>
      {path}
      <section className="bk-no-session" aria-busy={!isMissing}>
        <h1 tabIndex={-1}>{isMissing ? words.gone : words.opening}</h1>
        {isMissing && <p>{isNotFound(error) ? words.goneHint : messageOf(error)}</p>}
        {onBack && (
          <button type="button" className="bk-button" onClick={onBack}>
            {words.back}
          </button>
        )}
      </section>
    </div>
  );
}

function isNotFound(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'SESSION_NOT_FOUND';
}
