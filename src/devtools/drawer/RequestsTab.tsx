import { type ReactElement, useMemo, useState } from 'react';
import type { SessionEvent } from '../../core/model/event.ts';
import type { ReviewCall } from '../../review/review-call.ts';
import type { ReviewStep } from '../../review/steps.ts';
import { formatDuration } from '../../ui/base/duration.ts';
import { RequestPane } from '../../ui/review/RequestPane.tsx';
import { useReviewTexts, wordFor } from '../../ui/review/reviewTexts.ts';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';
import { createTimings, type TimesOf } from './timings.ts';
import { createReview, type Review } from '../../review/create-review.ts';

/** Each request with its timings, the tool calls, and one request as the model received it. */
export function RequestsTab({ events }: { readonly events: readonly SessionEvent[] }): ReactElement {
  const { facts } = useReviewTexts();
  const words = useDrawerTexts();
  const { steps, calls } = useLogReview(events);
  const [timings] = useState(createTimings);
  const timesOf = useMemo(() => timings(events), [timings, events]);
  const [chosen, setChosen] = useState<number>();
  const step = steps[chosen ?? steps.length - 1];
  return (
    <div className="split">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <div className="side wide" tabIndex={0} role="group" aria-label={words.requestsAndCalls}>
        <table>
          <Head
            caption={words.requests}
            columns={[words.step, facts.model, words.first, words.whole, words.input, words.output, facts.ended]}
          />
          <tbody>
            {steps.map((one) => (
              <StepRow
                key={one.index}
                step={one}
                timesOf={timesOf}
                isCurrent={one === step}
                onChoose={() => setChosen(one.index)}
              />
            ))}
          </tbody>
        </table>
        {steps.length === 0 && <p className="bk-hint">{words.noRequest}</p>}
        {calls.length > 0 && <Calls calls={calls} />}
      </div>
      <div className="main">
        <RequestPane step={step} renderRequest={undefined} />
      </div>
    </div>
  );
}

interface HeadProps {
  readonly caption: string;
  readonly columns: readonly string[];
}

function Head({ caption, columns }: HeadProps): ReactElement {
  return (
    <>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

interface StepRowProps {
  readonly step: ReviewStep;
  readonly timesOf: TimesOf;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

function StepRow({ step, timesOf, isCurrent, onChoose }: StepRowProps): ReactElement {
  const { formats } = useReviewTexts();
  const { request } = useDrawerTexts();
  const { first, whole } = timesOf(step);
  const { index, model, usage, finish, error, isCopied } = step;
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className="bk-icon-button"
          aria-label={request(index + 1)}
          {...(isCurrent && { 'aria-current': 'step' })}
          onClick={onChoose}
        >
          {index + 1}
        </button>
      </th>
      <td>{model ?? ''}</td>
      <td>{first === undefined ? '' : formatDuration(first)}</td>
      <td>{whole === undefined ? (isCopied === true ? '' : '…') : formatDuration(whole)}</td>
      <td>{usage ? formats.count(usage.input) : ''}</td>
      <td>{usage ? formats.count(usage.output) : ''}</td>
      <td className={error ? 'bk-bad' : undefined}>{error?.code ?? finish ?? ''}</td>
    </tr>
  );
}

function Calls({ calls }: { readonly calls: readonly ReviewCall[] }): ReactElement {
  const { statuses, time, facts } = useReviewTexts();
  const words = useDrawerTexts();
  return (
    <table>
      <Head caption={words.calls} columns={[words.tool, words.waited, words.ran, facts.ended]} />
      <tbody>
        {calls.map(({ name, decision, duration, outcome }, index) => (
          // A forged log may have two calls with one id.
          <tr key={index}>
            <th scope="row">{name}</th>
            <td>{decision?.waited === undefined ? '' : formatDuration(decision.waited)}</td>
            <td>{duration === undefined ? '' : formatDuration(duration)}</td>
            <td>{outcome === undefined ? time.unended : wordFor(statuses, outcome)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the review of a log that grows: each continues the one before. */
function useLogReview(events: readonly SessionEvent[]): Review {
  const [review] = useState(createContinued);
  return useMemo(() => review(events), [review, events]);
}

function createContinued(): (events: readonly SessionEvent[]) => Review {
  let last: Review | undefined;
  return (events) => (last = createReview(events, last && { continues: last }));
}
