import type { Retry } from 'brooklet/llm';
import { type ReactElement, useState } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { useNow } from '../ui/useNow.ts';
import { useTexts } from '../texts/useTexts.ts';

interface RetryNoticeProps {
  readonly retry: Retry;
  readonly onStop: () => void;
}

/** A failed request that is retried automatically: when, which attempt, why, and a button that stops the retries. */
export function RetryNotice({ retry, onStop }: RetryNoticeProps): ReactElement {
  const { run: text } = useTexts();
  const { attempt, attempts, ms, error } = retry;
  const [until] = useState(() => Date.now() + ms);
  return (
    <div className="notice retry">
      <Icon name="refresh" />
      <div>
        {/* Announced once, not every second: the countdown is outside of the status. */}
        <strong role="status">
          {text.trying}
          <span className="visually-hidden">{text.automatically}</span>
        </strong>{' '}
        <Countdown until={until} /> ({text.attemptOf(attempt, attempts)})<p>{error.message}</p>
      </div>
      <div className="notice-verbs">
        <button type="button" onClick={onStop}>
          {text.stopTrying}
        </button>
      </div>
    </div>
  );
}

function Countdown({ until }: { readonly until: number }): ReactElement {
  const { run: text } = useTexts();
  const seconds = Math.floor((until - useNow()) / 1_000);
  return <span role="timer">{seconds > 0 ? text.inSeconds(seconds) : text.now}</span>;
}
