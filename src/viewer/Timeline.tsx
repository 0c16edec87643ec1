/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Review } from '../review/create-review.ts';
import type { ReviewView } from '../review/player.ts';
import type { ReviewRun, ReviewStep } from '../review/steps.ts';

interface TimelineProps {
  readonly review: Review;
  readonly view: ReviewView;
  /** Index of the current step. */
  readonly current: number | undefined;
}

/** The runs and their steps, and a scrubber over the events: waiting takes no room. */
export function Timeline({ review, view, current }: TimelineProps): VNode {
  const { length } = review.events;
  const runs = useMemo(() => <Runs review={review} current={current} />, [review, current]);
  return (
    <div class="timeline">
      {runs}
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`Event ${view.count} of ${length}: ${view.event?.type ?? 'before the first event'}`}
        min={0}
        max={length}
        value={view.count}
        onInput={(event) => review.goTo({ seq: review.events[Number(event.currentTarget.value) - 1]?.seq ?? 0 })}
      />
    </div>
  );
}

function Runs({ review, current }: Pick<TimelineProps, 'review' | 'current'>): VNode {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <ol class="runs" aria-label="Runs" ref={list}>
      {review.runs.map((run) => (
        <li key={run.index} class={`run ${run.outcome ?? 'open'}`}>
          <button type="button" onClick={() => review.goTo({ seq: run.seq })}>
            {nameOf(run)}: {run.outcome ?? 'open'}
          </button>
          <ol class="steps" aria-label={`Steps of ${nameOf(run)}`}>
            {run.steps.map((step) => (
              <li key={step.index}>
                <StepButton step={step} isCurrent={step.index === current} review={review} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

interface StepButtonProps {
  readonly step: ReviewStep;
  readonly isCurrent: boolean;
  readonly review: Review;
}

function StepButton({ step: { index, error, model }, isCurrent, review }: StepButtonProps): VNode {
  return (
    <button
      type="button"
      class={error ? 'failed' : ''}
      {...(isCurrent && { 'aria-current': 'step' })}
      aria-label={`Step ${index + 1}${error ? ', failed' : ''}`}
      {...(model !== undefined && { title: model })}
      onClick={() => review.goTo({ step: index })}
    >
      {index + 1}
    </button>
  );
}

function nameOf({ index, isCompaction }: ReviewRun): string {
  return isCompaction === true ? `Compaction ${index + 1}` : `Run ${index + 1}`;
}
