import type { ReactElement } from 'react';
import type { Review, ReviewStep } from '../../review/index.ts';
import { formatDuration } from '../base/duration.ts';
import { Card } from './Card.tsx';
import { Fact, Facts } from './Facts.tsx';
import { Listing } from './Listing.tsx';
import { useReviewTexts } from './reviewTexts.ts';
import { ZoneBar } from './ZoneBar.tsx';

interface StepsViewProps {
  readonly review: Review;
  /** The step at the position. */
  readonly current: ReviewStep | undefined;
}

/** All requests to the model, with what each cost. */
export function StepsView({ review, current }: StepsViewProps): ReactElement {
  const { time, facts } = useReviewTexts();
  return (
    <Listing
      name={time.steps}
      items={review.steps}
      empty={facts.noSteps}
      render={(step) => <StepRow key={step.index} step={step} isCurrent={step.index === current?.index} />}
    />
  );
}

function StepRow({ step, isCurrent }: { readonly step: ReviewStep; readonly isCurrent: boolean }): ReactElement {
  const { facts: words, time, formats } = useReviewTexts();
  const { index, seq, at, endedAt, model, finish, usage, zones, error, isCopied } = step;
  const tokens = (count: number): string => words.tokensOf(formats.count(count));
  return (
    <Card
      seq={seq}
      title={time.step(index + 1)}
      state={error && 'failed'}
      isCurrent={isCurrent}
      hint={`#${seq} · ${model ?? words.clientModel}${isCopied === true ? ` · ${time.copied}` : ''}`}
    >
      <Facts>
        {finish !== undefined && <Fact name={words.ended}>{finish}</Fact>}
        {endedAt !== undefined && <Fact name={words.took}>{formatDuration(endedAt - at)}</Fact>}
        {usage && <Fact name={words.input}>{tokens(usage.input)}</Fact>}
        {usage && <Fact name={words.output}>{tokens(usage.output)}</Fact>}
        {usage?.cached !== undefined && <Fact name={words.cached}>{tokens(usage.cached)}</Fact>}
      </Facts>
      {zones && <ZoneBar zones={zones} />}
      {error && (
        <p className="bk-bad">
          {error.message} <code>{error.code}</code>
        </p>
      )}
    </Card>
  );
}
