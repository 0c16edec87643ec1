import type { Review, ReviewStep } from 'brooklet/review';
import type { ReactElement } from 'react';
import { formatDuration } from '../conversation/duration.ts';
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
  return (
    <Listing
      name="Steps"
      items={review.steps}
      empty="The model was never asked."
      render={(step) => <StepRow key={step.index} step={step} isCurrent={step.index === current?.index} />}
    />
  );
}

function StepRow({ step, isCurrent }: { readonly step: ReviewStep; readonly isCurrent: boolean }): ReactElement {
  const { index, seq, at, endedAt, model, finish, usage, zones, error } = step;
  return (
    <li className={error ? 'card failed' : 'card'} aria-current={isCurrent ? 'step' : undefined}>
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>Step {index + 1}</MomentLink>
        </h3>
        <span className="hint">
          #{seq} · {model ?? 'the client’s model'}
        </span>
      </header>
      <Facts>
        {finish !== undefined && <Fact name="Ended">{finish}</Fact>}
        {endedAt !== undefined && <Fact name="Took">{formatDuration(endedAt - at)}</Fact>}
        {usage && <Fact name="Input">{formatCount(usage.input)} tokens</Fact>}
        {usage && <Fact name="Output">{formatCount(usage.output)} tokens</Fact>}
        {usage?.cached !== undefined && <Fact name="From the cache">{formatCount(usage.cached)} tokens</Fact>}
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
