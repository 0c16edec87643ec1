import { type ComponentType, memo, type ReactElement, useMemo } from 'react';
import type { Annotation, Review, ReviewRun, ReviewStep } from '../../review/index.ts';
import { type Marker, markersOf } from './markers.ts';
import { PlacedItem } from './PlacedItem.tsx';
import { type ReviewTexts, useReviewTexts, wordFor } from './reviewTexts.ts';
import type { Scale } from './scale.ts';

interface LanesProps {
  readonly review: Review;
  readonly scale: Scale;
  /** Index of the step at the position. */
  readonly current: number | undefined;
  readonly notes: readonly Annotation[];
}

/** Runs and steps that are drawn. The lists below the timeline have all of them. */
const maxDrawn = 600;

/** The runs, the steps and the marks above the scrubber. Rendered only when the log, the scale or the current step changes. */
export const Lanes: ComponentType<LanesProps> = memo(function Lanes(props: LanesProps): ReactElement {
  const { review, scale, current, notes } = props;
  const texts = useReviewTexts();
  const placeOfSeq = useMemo(() => toPlaces(review, scale), [review, scale]);
  const markers = useMemo(() => markersOf(review, notes, texts), [review, notes, texts]);
  const end = review.events.at(-1)?.seq ?? 0;

  /** The room from before the first event to after the last one. */
  const room = (seq: number, endSeq = end): { readonly at: number; readonly span: number } => {
    const [from, to] = [placeOfSeq(seq - 1), placeOfSeq(endSeq)];
    return { at: from, span: to - from };
  };

  return (
    <div className="bk-lanes">
      <ol className="bk-lane bk-lane-runs" aria-label={texts.time.runs}>
        {review.runs.slice(-maxDrawn).map((run) => (
          <PlacedItem key={run.index} {...room(run.seq, run.endSeq)}>
            <RunButton run={run} review={review} />
          </PlacedItem>
        ))}
      </ol>
      <ol className="bk-lane bk-lane-steps" aria-label={texts.time.steps}>
        {review.steps.slice(-maxDrawn).map((step) => (
          <PlacedItem key={step.index} {...room(step.seq, step.endSeq)}>
            <StepButton step={step} isCurrent={step.index === current} review={review} />
          </PlacedItem>
        ))}
      </ol>
      {/* For the pointer only: the views have the same as lists. */}
      <ol className="bk-lane bk-lane-marks" aria-hidden="true">
        {markers.slice(0, maxDrawn).map((marker, index) => (
          <PlacedItem key={`${marker.kind} ${marker.seq} ${index}`} at={placeOfSeq(marker.seq)}>
            <Mark marker={marker} review={review} />
          </PlacedItem>
        ))}
      </ol>
    </div>
  );
});

function RunButton({ run, review }: { readonly run: ReviewRun; readonly review: Review }): ReactElement {
  const texts = useReviewTexts();
  const [name, outcome] = [nameOf(run, texts), outcomeOf(run, texts)];
  return (
    <button
      type="button"
      data-state={run.outcome ?? 'open'}
      title={`${name}: ${outcome}`}
      onClick={() => review.goTo({ seq: run.seq })}
    >
      {name}
      <span className="bk-hidden">: {outcome}</span>
    </button>
  );
}

interface StepButtonProps {
  readonly step: ReviewStep;
  readonly isCurrent: boolean;
  readonly review: Review;
}

const StepButton: ComponentType<StepButtonProps> = memo(function StepButton(props: StepButtonProps): ReactElement {
  const { step, isCurrent, review } = props;
  const { time: words } = useReviewTexts();
  const { index, error, model, isCopied } = step;
  const about = [words.step(index + 1), isCopied === true && words.copied, model].filter((one) => one);
  return (
    <button
      type="button"
      data-state={error ? 'failed' : 'done'}
      aria-current={isCurrent ? 'step' : undefined}
      aria-label={error ? words.failedStep(index + 1) : words.step(index + 1)}
      title={about.join(', ')}
      onClick={() => review.goTo({ step: index })}
    >
      {index + 1}
    </button>
  );
});

function Mark({ marker, review }: { readonly marker: Marker; readonly review: Review }): ReactElement {
  const { kind, seq, label } = marker;
  return (
    <button
      type="button"
      tabIndex={-1}
      data-kind={kind}
      aria-label={label}
      title={`${label} (#${seq})`}
      onClick={() => review.goTo({ seq })}
    />
  );
}

function nameOf({ index, isCompaction }: ReviewRun, { time: words }: ReviewTexts): string {
  return isCompaction === true ? words.compaction(index + 1) : words.run(index + 1);
}

function outcomeOf({ outcome }: ReviewRun, { time, outcomes }: ReviewTexts): string {
  return outcome === undefined ? time.unended : wordFor(outcomes, outcome);
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
