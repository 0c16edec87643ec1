import type { SessionState } from 'brooklet/core';
import type { Annotation, Review } from 'brooklet/review';
import { type ReactElement, useEffect, useState } from 'react';
import { Modal } from '../ui/Modal.tsx';
import { type Circumstances, circumstancesOf, toReport } from './bugReport.ts';
import { download, nameOfFile } from './download.ts';
import { formatCount } from './format.ts';
import { JsonText } from './JsonText.tsx';

interface BugReportProps {
  readonly review: Review;
  readonly state: SessionState;
  readonly notes: readonly Annotation[];
  readonly onClose: () => void;
}

/** Shows what a bug report contains before it is saved. Nothing is sent. */
export function BugReport({ review, state, notes, onClose }: BugReportProps): ReactElement {
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
    <Modal title="Bug report" onClose={onClose}>
      <p>This makes one file. Nothing is sent: you decide who gets it. Its content:</p>
      <label className="report-field">
        <span>What happened, and what did you expect?</span>
        <textarea rows={3} value={description} onChange={(event) => setDescription(event.target.value)} />
      </label>
      <label className="report-check">
        <input type="checkbox" checked={withSession} onChange={(event) => setWithSession(event.target.checked)} />
        <span>
          The whole session with {review.events.length} events and {notes.length} notes: everything that was said, asked
          and answered
        </span>
      </label>
      <h3>The page</h3>
      <JsonText label="The page" text={JSON.stringify(circumstances, null, 2) ?? ''} />
      <p className="hint">
        No key and no password: Brooklet stores none. {report && `${formatCount(report.length)} characters.`}
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
          Save the report
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Modal>
  );
}
