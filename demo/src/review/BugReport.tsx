import type { SessionState } from 'brooklet/core';
import type { Annotation, Review } from 'brooklet/review';
import { type ReactElement, useEffect, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Modal } from '../ui/Modal.tsx';
import { type Circumstances, circumstancesOf, toReport } from './bugReport.ts';
import { download, nameOfFile } from '../base/download.ts';
import { JsonBox } from './JsonBox.tsx';

interface BugReportProps {
  readonly review: Review;
  readonly state: SessionState;
  readonly notes: readonly Annotation[];
  readonly onClose: () => void;
}

/** Shows what a bug report contains before it is saved. Nothing is sent. */
export function BugReport({ review, state, notes, onClose }: BugReportProps): ReactElement {
  const texts = useReviewTexts();
  const words = texts.report;
  const [description, setDescription] = useState('');
  const [withSession, setWithSession] = useState(true);
  const [circumstances, setCircumstances] = useState<Circumstances>();

  useEffect(() => {
    let isGone = false;
    void circumstancesOf(review).then((found) => isGone || setCircumstances(found));
    return () => {
      isGone = true;
    };
  }, [review]);

  const report = circumstances && toReport({ description, circumstances, review, notes, withSession });
  return (
    <Modal title={words.title} onClose={onClose}>
      <p>{words.intro}</p>
      <label className="report-field">
        <span>{words.what}</span>
        <textarea rows={3} value={description} onChange={(event) => setDescription(event.target.value)} />
      </label>
      <label className="report-check">
        <input type="checkbox" checked={withSession} onChange={(event) => setWithSession(event.target.checked)} />
        <span>{words.withSession(review.events.length, notes.length)}</span>
      </label>
      <h3>{words.page}</h3>
      <JsonBox label={words.page} text={JSON.stringify(circumstances, null, 2) ?? ''} />
      <p className="hint">
        {words.noKey} {report && words.characters(report.length.toLocaleString(texts.locale))}
      </p>
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={report === undefined}
          onClick={() => {
            if (report !== undefined) download(report, nameOfFile(`report ${state.title}`, 'jsonl'));
            onClose();
          }}
        >
          {words.save}
        </button>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </Modal>
  );
}
