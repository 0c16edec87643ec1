import type { Review, ReviewError } from 'brooklet/review';
import type { ReactElement } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { textFor } from '../texts/textFor.ts';
import { formatTime } from './format.ts';
import { JsonText } from './JsonText.tsx';
import { Listing } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';

/** What failed, and why. */
export function ErrorsView({ review }: { readonly review: Review }): ReactElement {
  const words = useReviewTexts();
  return (
    <Listing
      name={words.views.errors}
      items={review.errors}
      empty={words.errors.none}
      render={(error) => <ErrorRow key={error.seq} error={error} review={review} />}
    />
  );
}

function ErrorRow({ error: shown, review }: { readonly error: ReviewError; readonly review: Review }): ReactElement {
  const texts = useReviewTexts();
  const { errors: words } = texts;
  const { seq, at, of, message, error, callId, outcome } = shown;
  const call = review.calls.find((one) => one.callId === callId);
  return (
    <li className="card failed">
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>{call ? `${words.of[of]} ${call.name}` : words.of[of]}</MomentLink>
        </h3>
        <span className="pill bad">
          {error?.code ?? (outcome && (textFor(texts.statuses, outcome) ?? outcome)) ?? words.notStored}
        </span>
        <span className="hint">
          #{seq} · {formatTime(texts, at)}
        </span>
      </header>
      <p className="bad">{message}</p>
      {error && (
        <details className="request-part">
          <summary>{words.cause}</summary>
          <JsonText label={words.cause} text={JSON.stringify(error, null, 2)} />
        </details>
      )}
      {call && (
        <details className="request-part">
          <summary>{words.input}</summary>
          <JsonText
            label={texts.calls.input}
            text={call.input ? JSON.stringify(call.input, null, 2) : call.inputText}
          />
        </details>
      )}
    </li>
  );
}
