import type { Annotation, Review, ReviewStep } from 'brooklet/review';
import type { SessionState } from 'brooklet/core';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { BugReport } from './BugReport.tsx';
import { download, nameOfFile } from './download.ts';
import { toFile } from './toFile.ts';

interface SaveMenuProps {
  readonly review: Review;
  readonly state: SessionState;
  readonly step: ReviewStep | undefined;
  readonly notes: readonly Annotation[];
}

/** What can be made of the session: a file with its notes, a bug report. */
export function SaveMenu({ review, state, notes }: SaveMenuProps): ReactElement {
  const menu = useRef<HTMLDetailsElement>(null);
  const [isReporting, setIsReporting] = useState(false);
  const { title } = state;

  const close = (): void => {
    if (menu.current) menu.current.open = false;
  };

  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !menu.current?.contains(target)) close();
    };
    addEventListener('pointerdown', onPointerDown);
    return () => removeEventListener('pointerdown', onPointerDown);
  }, []);

  return (
    <>
      <details
        ref={menu}
        className="menu"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          close();
          menu.current?.querySelector('summary')?.focus();
        }}
      >
        <summary>Save</summary>
        <ul className="menu-list">
          <li>
            <button
              type="button"
              className="quiet wide"
              onClick={() => {
                close();
                download(toFile(review, notes), nameOfFile(title, 'jsonl'));
              }}
            >
              Session with notes (.jsonl)
            </button>
          </li>
          <li>
            <button
              type="button"
              className="quiet wide"
              onClick={() => {
                close();
                setIsReporting(true);
              }}
            >
              Bug report…
            </button>
          </li>
        </ul>
      </details>
      {isReporting && <BugReport review={review} state={state} notes={notes} onClose={() => setIsReporting(false)} />}
    </>
  );
}
