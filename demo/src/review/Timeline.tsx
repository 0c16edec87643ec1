import type { Review, ReviewStep, ReviewView } from 'brooklet/review';
import { type CSSProperties, type ReactElement, useMemo } from 'react';
import { formatClock } from '../conversation/duration.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Lanes } from './Lanes.tsx';
import { type Scale, type ScaleName, ticksOf } from './scale.ts';
import type { Notes } from './useAnnotations.ts';

interface TimelineProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  readonly notes: Notes['list'];
  readonly scaleName: ScaleName;
  readonly scale: Scale;
}

/** The runs and the steps of the session along a line, what happened in between, and a scrubber. */
export function Timeline({ review, view, step, notes, scaleName, scale }: TimelineProps): ReactElement {
  const words = useReviewTexts();
  const { length } = review.events;
  const position = scale.positionOf(view);
  const ticks = useMemo(() => ticksOf(scaleName, review, formatClock), [scaleName, review]);
  const share = position / Math.max(1, scale.size);
  // The middle of the scrubber's thumb.
  const place: CSSProperties = { insetInlineStart: `calc(var(--thumb) / 2 + (100% - var(--thumb)) * ${share})` };
  return (
    <div className="timeline">
      <Lanes review={review} scale={scale} current={step?.index} notes={notes} />
      <span className="playhead" style={place} aria-hidden="true" />
      <input
        type="range"
        className="scrubber"
        aria-label={words.position}
        aria-valuetext={words.positionText(view.count, length, view.event?.type)}
        min={0}
        max={scale.size}
        value={position}
        onChange={(event) => scale.goTo(Number(event.target.value))}
      />
      <div className="ticks" aria-hidden="true">
        {ticks.map(({ at, label }) => (
          <span key={at} style={{ insetInlineStart: `${at * 100}%` }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}
