/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Review } from '../create-review.ts';
import type { ReviewView } from '../player.ts';
import type { ReviewRun, ReviewStep } from '../steps.ts';
import type { ViewerTexts } from './texts/en.ts';
import { textFor } from './texts/text-for.ts';
import { useTexts } from './texts/use-texts.ts';

interface TimelineProps {
  readonly review: Review;
  readonly view: ReviewView;
  /** Index of the current step. */
  readonly current: number | undefined;
}

/** The runs and their steps, and a scrubber over the events: waiting takes no room. */
export function Timeline({ review, view, current }: TimelineProps): VNode {
  const texts = useTexts();
  const { length } = review.events;
  const runs = useMemo(() => <Runs review={review} current={current} />, [review, current]);
  return (
    <div class="timeline">
      {runs}
      <input
        type="range"
        aria-label={texts.position}
        aria-valuetext={view.event ? texts.positionText(view.count, length, view.event.type) : texts.beforeFirst}
        min={0}
        max={length}
        value={view.count}
        onInput={(event) => review.goTo({ seq: review.events[Number(event.currentTarget.value) - 1]?.seq ?? 0 })}
      />
    </div>
  );
}

function Runs({ review, current }: Pick<TimelineProps, 'review' | 'current'>): VNode {
  const texts = useTexts();
  const list = useRef<HTMLOListElement>(null);
  // Steps of another log belong to none of the runs.
  const copied = review.steps.filter(({ isCopied }) => isCopied === true);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <ol class="runs" aria-label={texts.runs} ref={list}>
      {copied.length > 0 && (
        <li class="run">
          {texts.copied}
          <ol class="steps" aria-label={texts.stepsOf(texts.copied)}>
            {copied.map((step) => (
              <li key={step.index}>
                <StepButton step={step} isCurrent={step.index === current} review={review} />
              </li>
            ))}
          </ol>
        </li>
      )}
      {review.runs.map((run) => (
        <li key={run.index} class={`run ${run.outcome ?? 'open'}`}>
          <button type="button" onClick={() => review.goTo({ seq: run.seq })}>
            {nameOf(texts, run)}: {run.outcome === undefined ? texts.open : textFor(texts.outcomes, run.outcome)}
          </button>
          <ol class="steps" aria-label={texts.stepsOf(nameOf(texts, run))}>
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
  const texts = useTexts();
  return (
    <button
      type="button"
      class={error ? 'failed' : ''}
      {...(isCurrent && { 'aria-current': 'step' })}
      aria-label={(error ? texts.failedStep : texts.step)(index + 1)}
      {...(model !== undefined && { title: model })}
      onClick={() => review.goTo({ step: index })}
    >
      {index + 1}
    </button>
  );
}

function nameOf({ compaction, run }: ViewerTexts, { index, isCompaction }: ReviewRun): string {
  return (isCompaction === true ? compaction : run)(index + 1);
}
