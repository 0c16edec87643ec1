import { type ReactElement, useState } from 'react';
import { useNow } from '../base/useNow.ts';
import type { UseChatResult } from '../../react/index.ts';
import type { Labels } from '../labels/english.ts';
import { Notice } from './Notice.tsx';

interface RetryNoticeProps {
  readonly title: string;
  /** When, which attempt, and what it waits for. */
  readonly wait: Omit<NonNullable<UseChatResult['resuming']>, 'runId'>;
  readonly labels: Labels['notice'];
  readonly message?: string | undefined;
  readonly onStop: () => void;
}

/** Something that is tried again automatically: when, which attempt, why, and a button that stops it. */
export function RetryNotice({ title, wait, labels, message, onStop }: RetryNoticeProps): ReactElement {
  const { attempt, attempts, ms, until } = wait;
  const [at] = useState(() => Date.now() + ms);
  return (
    <Notice icon="refresh" title={title} state="waiting">
      <p>
        {until === undefined && <Countdown until={at} labels={labels} />}
        {until === 'online' && labels.whenOnline}
        {until === 'visible' && labels.whenVisible} ({labels.attemptOf(attempt, attempts)})
      </p>
      {message !== undefined && <p className="bk-hint">{message}</p>}
      <div className="bk-buttons">
        <button type="button" className="bk-button" onClick={onStop}>
          {labels.stopTrying}
        </button>
      </div>
    </Notice>
  );
}

interface CountdownProps {
  readonly until: number;
  readonly labels: Labels['notice'];
}

/** Not a live region: a screen reader would read every second. */
function Countdown({ until, labels }: CountdownProps): ReactElement {
  const seconds = Math.floor((until - useNow()) / 1_000);
  return <span role="timer">{seconds > 0 ? labels.inSeconds(seconds) : labels.now}</span>;
}
