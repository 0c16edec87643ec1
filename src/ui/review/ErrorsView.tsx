import { type ReactElement, useMemo } from 'react';
import type { Review, ReviewCall, ReviewError } from '../../review/index.ts';
import { visible } from '../base/visible.ts';
import { titleOfCall } from '../call/titleOfCall.ts';
import { useLabels } from '../labels/useLabels.ts';
import { Card, Pill } from './Card.tsx';
import { Folded } from './Folded.tsx';
import { JsonText } from './JsonText.tsx';
import { Listing } from './Listing.tsx';
import { useReviewTexts, wordFor } from './reviewTexts.ts';

/** What failed, and why. */
export function ErrorsView({ review }: { readonly review: Review }): ReactElement {
  const { views, errors } = useReviewTexts();
  const calls = useMemo(() => new Map(review.calls.map((call) => [call.callId, call])), [review]);
  return (
    <Listing
      name={views.errors}
      items={review.errors}
      empty={errors.none}
      render={(error, index) => (
        <ErrorRow key={index} error={error} call={error.callId === undefined ? undefined : calls.get(error.callId)} />
      )}
    />
  );
}

interface ErrorRowProps {
  readonly error: ReviewError;
  readonly call: ReviewCall | undefined;
}

function ErrorRow({ error: shown, call }: ErrorRowProps): ReactElement {
  const { errors: words, calls, statuses, formats } = useReviewTexts();
  const { seq, at, of, message, error, outcome } = shown;
  const tool = useLabels('tool', undefined);
  const what = outcome === undefined ? words.notStored : wordFor(statuses, outcome);
  return (
    <Card
      seq={seq}
      title={call ? `${words.of[of]} ${visible(titleOfCall(tool, call))}` : words.of[of]}
      state="failed"
      tag={<Pill isBad>{error?.code ?? what}</Pill>}
      hint={`#${seq} · ${formats.time(at)}`}
    >
      <p className="bk-bad">{message}</p>
      {error && (
        <Folded
          title={words.cause}
          render={() => <JsonText label={words.cause} text={JSON.stringify(error, null, 2)} />}
        />
      )}
      {call && (
        <Folded
          title={words.input}
          render={() => (
            <JsonText label={calls.input} text={call.input ? JSON.stringify(call.input, null, 2) : call.inputText} />
          )}
        />
      )}
    </Card>
  );
}
