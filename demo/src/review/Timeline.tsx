import type { Review, ReviewRun, ReviewStep, ReviewView } from 'brooklet/review';
import { memo, type ReactElement, useEffect, useMemo, useRef } from 'react';

interface TimelineProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
}

/** The runs and the steps along the events, and a scrubber. Each event has the same width: waiting takes no room. */
export function Timeline({ review, view, step }: TimelineProps): ReactElement {
  const { length } = review.events;
  return (
    <div className="timeline">
      <Runs review={review} current={step?.index} />
      <input
        type="range"
        className="scrubber"
        aria-label="Position"
        aria-valuetext={`Event ${view.count} of ${length}: ${view.event?.type ?? 'before the first event'}`}
        min={0}
        max={length}
        value={view.count}
        onChange={(event) => review.goTo({ seq: review.events[Number(event.target.value) - 1]?.seq ?? 0 })}
      />
    </div>
  );
}

/** Rendered only when the log or the current step changes. */
const Runs = memo(function Runs({
  review,
  current,
}: {
  readonly review: Review;
  readonly current: number | undefined;
}) {
  const [lead = 0, ...widths] = useMemo(() => widthsOf(review), [review]);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <ol className="runs" aria-label="Runs" ref={list}>
      <li className="run-lead" style={{ flexGrow: lead }} aria-hidden="true" />
      {review.runs.map((run) => (
        <li key={run.index} className={`run ${run.outcome ?? 'open'}`} style={{ flexGrow: widths[run.index] ?? 1 }}>
          <button
            type="button"
            className="run-name"
            title={`${nameOf(run)}: ${run.outcome ?? 'open'}`}
            onClick={() => review.goTo({ seq: run.seq })}
          >
            {nameOf(run)}
            <span className="visually-hidden">: {run.outcome ?? 'open'}</span>
          </button>
          <ol className="steps" aria-label={`Steps of ${nameOf(run)}`}>
            {run.steps.map((one) => (
              <li key={one.index}>
                <button
                  type="button"
                  className={one.error ? 'step failed' : 'step'}
                  aria-current={one.index === current ? 'step' : undefined}
                  aria-label={`Step ${one.index + 1}${one.error ? ', failed' : ''}`}
                  title={`Step ${one.index + 1}${one.model === undefined ? '' : `: ${one.model}`}`}
                  onClick={() => review.goTo({ step: one.index })}
                >
                  {one.index + 1}
                </button>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
});

function nameOf({ index, isCompaction }: ReviewRun): string {
  return isCompaction === true ? `Compaction ${index + 1}` : `Run ${index + 1}`;
}

/**
 * Returns the number of events before the first run, then the number from each run to the next: the runs are above the same events of the
 * scrubber.
 */
function widthsOf({ events, runs }: Review): readonly number[] {
  const widths = [0, ...runs.map(() => 0)];
  let run = 0;
  for (const { seq } of events) {
    while (runs[run] !== undefined && seq >= (runs[run]?.seq ?? Infinity)) run++;
    widths[run] = (widths[run] ?? 0) + 1;
  }
  return widths;
}
