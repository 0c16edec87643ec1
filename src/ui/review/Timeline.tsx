import { type ReactElement, useMemo } from 'react';
import type { Annotation, Review, ReviewStep, ReviewView } from '../../review/index.ts';
import { formatClock } from '../base/duration.ts';
import { Lanes } from './Lanes.tsx';
import { PlacedItem } from './PlacedItem.tsx';
import { useReviewTexts } from './reviewTexts.ts';
import { type Scale, type ScaleName, ticksOf } from './scale.ts';
import { usePlace } from './usePlace.ts';

interface TimelineProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  readonly notes: readonly Annotation[];
  readonly scaleName: ScaleName;
  readonly scale: Scale;
}

/** The runs and the steps of the session along a line, what happened in between, and a scrubber. */
export function Timeline({ review, view, step, notes, scaleName, scale }: TimelineProps): ReactElement {
  const { time: words } = useReviewTexts();
  const position = scale.positionOf(view);
  const ticks = useMemo(() => ticksOf(scaleName, review, formatClock), [scaleName, review]);
  const playhead = usePlace<HTMLSpanElement>(position / Math.max(1, scale.size));
  return (
    <div className="bk-timeline">
      <Lanes review={review} scale={scale} current={step?.index} notes={notes} />
      <span ref={playhead} className="bk-playhead" aria-hidden="true" />
      <input
        type="range"
        className="bk-scrubber"
        aria-label={words.position}
        aria-valuetext={words.positionText(view.seq, review.events.at(-1)?.seq ?? 0, view.event?.type)}
        min={0}
        max={scale.size}
        value={position}
        onChange={(event) => scale.goTo(Number(event.target.value))}
      />
      <ol className="bk-ticks" aria-hidden="true">
        {ticks.map(({ at, label }) => (
          <PlacedItem key={at} at={at}>
            {label}
          </PlacedItem>
        ))}
      </ol>
    </div>
  );
}
