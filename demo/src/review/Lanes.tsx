import type { Review, ReviewRun, ReviewStep } from 'brooklet/review';
import { type CSSProperties, memo, type ReactElement, useMemo } from 'react';
import type { ReviewTexts } from '../texts/en/review.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
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
  const words = useReviewTexts();
  const placeOfSeq = useMemo(() => toPlaces(review, scale), [review, scale]);
  const markers = useMemo(() => markersOf(review, notes, words), [review, notes, words]);
  const end = review.events.at(-1)?.seq ?? 0;

  /** The room from before the first event to after the last one. */
  const span = (seq: number, endSeq: number): CSSProperties => {
    const [from, to] = [placeOfSeq(seq - 1), placeOfSeq(endSeq)];
    return { insetInlineStart: `${from * 100}%`, width: `max(3px, ${(to - from) * 100}% - 1px)` };
  };

  return (
    <div className="lanes">
      <ol className="lane runs" aria-label={words.runs}>
        {review.runs.slice(-maxDrawn).map((run) => (
          <li key={run.index} style={span(run.seq, run.endSeq ?? end)}>
            <button
              type="button"
              className={`run ${run.outcome ?? 'open'}`}
              title={`${nameOf(run, words)}: ${outcomeOf(run, words)}`}
              onClick={() => review.goTo({ seq: run.seq })}
            >
              {nameOf(run, words)}
              <span className="visually-hidden">: {outcomeOf(run, words)}</span>
            </button>
          </li>
        ))}
      </ol>
      <ol className="lane steps" aria-label={words.steps}>
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
  const words = useReviewTexts();
  const { index, error, model } = step;
  return (
    <button
      type="button"
      className={error ? 'step failed' : 'step'}
      aria-current={isCurrent ? 'step' : undefined}
      aria-label={error ? words.failedStep(index + 1) : words.step(index + 1)}
      title={`${words.step(index + 1)}${model === undefined ? '' : `: ${model}`}`}
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

function nameOf({ index, isCompaction }: ReviewRun, words: ReviewTexts): string {
  return isCompaction === true ? words.compaction(index + 1) : words.run(index + 1);
}

function outcomeOf({ outcome }: ReviewRun, words: ReviewTexts): string {
  return outcome === undefined ? words.unended : words.outcomes[outcome];
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
