import type { SessionState } from 'brooklet/core';
import type { Annotation, Review } from 'brooklet/review';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { BugReport } from './BugReport.tsx';
import { copyLater } from '../base/copyLater.ts';
import { download, nameOfFile } from '../base/download.ts';
import type * as SavingModule from './saving.ts';
import { toTreeFile } from './toFile.ts';
import type { TreeSource } from './useReviewedTree.ts';

interface SaveMenuProps {
  readonly review: Review;
  readonly state: SessionState;
  readonly notes: readonly Annotation[];
  /** Where the sessions below are. */
  readonly source: TreeSource;
}

/** What can be made of the session: a file with its notes, a page, a test, a bug report. */
export function SaveMenu({ review, state, notes, source }: SaveMenuProps): ReactElement {
  const { save: words } = useReviewTexts();
  const menu = useRef<HTMLDetailsElement>(null);
  const [isReporting, setIsReporting] = useState(false);
  const [result, setResult] = useState('');
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

  useEffect(() => {
    if (result === '') return undefined;
    const timer = setTimeout(() => setResult(''), 8_000);
    return () => clearTimeout(timer);
  }, [result]);

  /** Closes the menu, and says how the act ended. */
  const perform = (act: () => Promise<string>): void => {
    close();
    act().then(setResult, (thrown: unknown) => setResult(thrown instanceof Error ? thrown.message : String(thrown)));
  };

  const saveFile = async (): Promise<string> => {
    download(await toTreeFile(review, notes, source), nameOfFile(title, 'jsonl'));
    return words.sessionSaved;
  };

  const savePage = async (): Promise<string> => {
    const { toHTML } = await loadSaving();
    download(await toHTML(review, notes, source), nameOfFile(title, 'html'));
    return words.pageSaved;
  };

  const copyTest = async (): Promise<string> => {
    await copyLater(loadSaving().then(({ toTestSource }) => toTestSource(review)));
    return words.testCopied;
  };

  return (
    <>
      <details
        ref={menu}
        className="save-menu"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          close();
          menu.current?.querySelector('summary')?.focus();
        }}
      >
        <summary>{words.button}</summary>
        <ul className="save-list">
          <Item label={words.session} onClick={() => perform(saveFile)} />
          <Item label={words.page} onClick={() => perform(savePage)} />
          <Item label={words.test} onClick={() => perform(copyTest)} />
          <Item
            label={words.report}
            onClick={() => {
              close();
              setIsReporting(true);
            }}
          />
        </ul>
      </details>
      <p className={result === '' ? 'visually-hidden' : 'save-result'} role="status">
        {result}
      </p>
      {isReporting && <BugReport review={review} state={state} notes={notes} onClose={() => setIsReporting(false)} />}
    </>
  );
}

const loadSaving = (): Promise<typeof SavingModule> => import('./saving.ts');

function Item({ label, onClick }: { readonly label: string; readonly onClick: () => void }): ReactElement {
  return (
    <li>
      <button type="button" className="quiet wide" onClick={onClick}>
        {label}
      </button>
    </li>
  );
}
