import type { Review, ReviewStep } from 'brooklet/review';
import type { ReactElement } from 'react';
import { formatDuration } from '../conversation/duration.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Fact, Facts } from './Facts.tsx';
import { formatCount } from './format.ts';
import { Listing } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';
import { ZoneBar } from './ZoneBar.tsx';

interface StepsViewProps {
  readonly review: Review;
  /** The step at the position. */
  readonly current: ReviewStep | undefined;
}

/** All requests to the model, with what each cost. */
export function StepsView({ review, current }: StepsViewProps): ReactElement {
  const words = useReviewTexts();
  return (
    <Listing
      name={words.steps}
      items={review.steps}
      empty={words.noSteps}
      render={(step) => <StepRow key={step.index} step={step} isCurrent={step.index === current?.index} />}
    />
  );
}

function StepRow({ step, isCurrent }: { readonly step: ReviewStep; readonly isCurrent: boolean }): ReactElement {
  const texts = useReviewTexts();
  const { facts: words } = texts;
  const { index, seq, at, endedAt, model, finish, usage, zones, error, isCopied } = step;
  return (
    <li className={error ? 'card failed' : 'card'} aria-current={isCurrent ? 'step' : undefined}>
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>{texts.step(index + 1)}</MomentLink>
        </h3>
        <span className="hint">
          #{seq} · {model ?? texts.clientModel}
          {isCopied && ` · ${texts.copied}`}
        </span>
      </header>
      <Facts>
        {finish !== undefined && <Fact name={words.ended}>{finish}</Fact>}
        {endedAt !== undefined && <Fact name={words.took}>{formatDuration(endedAt - at)}</Fact>}
        {usage && <Fact name={words.input}>{texts.tokens(formatCount(texts, usage.input))}</Fact>}
        {usage && <Fact name={words.output}>{texts.tokens(formatCount(texts, usage.output))}</Fact>}
        {usage?.cached !== undefined && (
          <Fact name={words.cached}>{texts.tokens(formatCount(texts, usage.cached))}</Fact>
        )}
      </Facts>
      {zones && <ZoneBar zones={zones} />}
      {error && (
        <p className="bad">
          {error.message} <code>{error.code}</code>
        </p>
      )}
    </li>
  );
}
