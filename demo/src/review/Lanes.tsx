import type { Review, ReviewRun, ReviewStep } from 'brooklet/review';
import { type CSSProperties, memo, type ReactElement, useMemo } from 'react';
import { type Marker, markersOf } from './markers.ts';
import type { Scale } from './scale.ts';
import type { Notes } from './useAnnotations.ts';

interface LanesProps {
  readonly review: Review;
  readonly scale: Scale;
  /** Index of the step at the position. */
  readonly current: number | undefined;
  readonly notes: Notes['list'];
}

/** Runs and steps that are drawn. The lists below the timeline have all of them. */
const maxDrawn = 600;

/** The runs, the steps and the marks above the scrubber. Rendered only when the log, the scale or the current step changes. */
export const Lanes = memo(function Lanes({ review, scale, current, notes }: LanesProps): ReactElement {
  const placeOfSeq = useMemo(() => toPlaces(review, scale), [review, scale]);
  const markers = useMemo(() => markersOf(review, notes), [review, notes]);
  const end = review.events.at(-1)?.seq ?? 0;

  /** The room from before the first event to after the last one. */
  const span = (seq: number, endSeq: number): CSSProperties => {
    const [from, to] = [placeOfSeq(seq - 1), placeOfSeq(endSeq)];
    return { insetInlineStart: `${from * 100}%`, width: `max(3px, ${(to - from) * 100}% - 1px)` };
  };

  return (
    <div className="lanes">
      <ol className="lane runs" aria-label="Runs">
        {review.runs.slice(-maxDrawn).map((run) => (
          <li key={run.index} style={span(run.seq, run.endSeq ?? end)}>
            <button
              type="button"
              className={`run ${run.outcome ?? 'open'}`}
              title={`${nameOf(run)}: ${run.outcome ?? 'open'}`}
              onClick={() => review.goTo({ seq: run.seq })}
            >
              {nameOf(run)}
              <span className="visually-hidden">: {run.outcome ?? 'open'}</span>
            </button>
          </li>
        ))}
      </ol>
      <ol className="lane steps" aria-label="Steps">
        {review.steps.slice(-maxDrawn).map((step) => (
          <li key={step.index} style={span(step.seq, step.endSeq ?? end)}>
            <Step step={step} isCurrent={step.index === current} review={review} />
          </li>
        ))}
      </ol>
      {/* For the pointer only: the views have the same as lists. */}
      <div className="lane marks" aria-hidden="true">
        {markers.slice(0, maxDrawn).map((marker) => (
          <Mark key={`${marker.kind} ${marker.seq}`} marker={marker} place={placeOfSeq(marker.seq)} review={review} />
        ))}
      </div>
    </div>
  );
});

interface StepProps {
  readonly step: ReviewStep;
  readonly isCurrent: boolean;
  readonly review: Review;
}

const Step = memo(function Step({ step, isCurrent, review }: StepProps): ReactElement {
  const { index, error, model } = step;
  return (
    <button
      type="button"
      className={error ? 'step failed' : 'step'}
      aria-current={isCurrent ? 'step' : undefined}
      aria-label={`Step ${index + 1}${error ? ', failed' : ''}`}
      title={`Step ${index + 1}${model === undefined ? '' : `: ${model}`}`}
      onClick={() => review.goTo({ step: index })}
    >
      {index + 1}
    </button>
  );
});

interface MarkProps {
  readonly marker: Marker;
  readonly place: number;
  readonly review: Review;
}

function Mark({ marker: { kind, seq, label }, place, review }: MarkProps): ReactElement {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`mark-${kind}`}
      style={{ insetInlineStart: `${place * 100}%` }}
      aria-label={label}
      title={`${label} (#${seq})`}
      onClick={() => review.goTo({ seq })}
    />
  );
}

function nameOf({ index, isCompaction }: ReviewRun): string {
  return isCompaction === true ? `Compaction ${index + 1}` : `Run ${index + 1}`;
}

/** Returns a function from a `seq` to its place on the line. */
function toPlaces({ events }: Review, scale: Scale): (seq: number) => number {
  const seqs = events.map(({ seq }) => seq);
  return (seq) => {
    let [low, high] = [0, seqs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((seqs[middle] ?? Infinity) <= seq) low = middle + 1;
      else high = middle;
    }
    return scale.placeOf(low);
  };
}
