import type { Review, ReviewError } from 'brooklet/review';
import type { ReactElement } from 'react';
import { formatTime } from './format.ts';
import { JsonText } from './JsonText.tsx';
import { Listing } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';

const names: Readonly<Record<ReviewError['of'], string>> = {
  run: 'Run',
  request: 'Request',
  call: 'Tool call',
  compaction: 'Compaction',
  log: 'Log',
};

/** What failed, and why. */
export function ErrorsView({ review }: { readonly review: Review }): ReactElement {
  return (
    <Listing
      name="Errors"
      items={review.errors}
      empty="Nothing failed."
      render={(error) => <ErrorRow key={error.seq} error={error} review={review} />}
    />
  );
}

function ErrorRow({ error: shown, review }: { readonly error: ReviewError; readonly review: Review }): ReactElement {
  const { seq, at, of, message, error, callId, outcome } = shown;
  const call = review.calls.find((one) => one.callId === callId);
  return (
    <li className="card failed">
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>{call ? `${names[of]} ${call.name}` : names[of]}</MomentLink>
        </h3>
        <span className="pill bad">{error?.code ?? outcome ?? 'not stored'}</span>
        <span className="hint">
          #{seq} · {formatTime(at)}
        </span>
      </header>
      <p className="bad">{message}</p>
      {error && (
        <details className="request-part">
          <summary>Cause and details</summary>
          <JsonText label="Cause and details" text={JSON.stringify(error, null, 2)} />
        </details>
      )}
      {call && (
        <details className="request-part">
          <summary>Input of the call</summary>
          <JsonText label="Input" text={call.input ? JSON.stringify(call.input, null, 2) : call.inputText} />
        </details>
      )}
    </li>
  );
}
