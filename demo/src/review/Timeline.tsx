import type { Review, ReviewRun, ReviewStep, ReviewView } from 'brooklet/review';
import { type CSSProperties, memo, type ReactElement } from 'react';

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
  return (
    <ol className="runs" aria-label="Runs">
      {review.runs.map((run) => (
        <li key={run.index} className={`run ${run.outcome ?? 'open'}`} style={placeOf(review, run)}>
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

/** A run is as wide as its number of events, and its steps have room. */
function placeOf({ events }: Review, { seq, endSeq }: ReviewRun): CSSProperties {
  const last = endSeq ?? events.at(-1)?.seq ?? seq;
  return { flexGrow: Math.max(1, last - seq) };
}
