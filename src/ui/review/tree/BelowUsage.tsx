import { type ReactElement, useEffect, useState } from 'react';
import { totalInput, type Usage } from '../../../core/model/index.ts';
import { type CostOf, type OpenSession, type Review, type UsageBelow, usageBelow } from '../../../review/index.ts';
import { Fact, Facts } from '../Facts.tsx';
import { useReviewTexts } from '../reviewTexts.ts';

interface BelowUsageProps {
  readonly review: Review;
  readonly openSession: OpenSession;
  readonly costOf: CostOf | undefined;
  /** What the session itself has used. */
  readonly own: Usage;
  readonly ownCost: number | undefined;
}

/** What the sessions below have used, at any depth, and the sum with that of the session itself. Read while this is shown. */
export function BelowUsage(props: BelowUsageProps): ReactElement | null {
  const { own, ownCost, costOf } = props;
  const { facts: names, usage: words, tree, formats } = useReviewTexts();
  const below = useUsageBelow(props);
  if (below === undefined) return null;
  const { usage, cost, sessions, missing, isComplete } = below;
  const tokens = (count: number): string => names.tokensOf(formats.count(count));
  const costText = (one: number | undefined): string =>
    one === undefined ? words.unknownPrice : words.about(formats.cost(one));
  const allCost = cost === undefined && ownCost === undefined ? undefined : (cost ?? 0) + (ownCost ?? 0);
  return (
    <section className="bk-below" aria-label={tree.below} aria-busy={!isComplete}>
      <h3>{tree.below}</h3>
      <Facts>
        <Fact name={tree.sessions}>{formats.count(sessions)}</Fact>
        <Fact name={names.input}>{tokens(totalInput(usage))}</Fact>
        <Fact name={names.output}>{tokens(usage.output)}</Fact>
        {costOf && <Fact name={names.cost}>{costText(cost)}</Fact>}
        <Fact name={tree.withBelow}>{tokens(totalInput(own) + own.output + totalInput(usage) + usage.output)}</Fact>
        {costOf && <Fact name={tree.costWithBelow}>{costText(allCost)}</Fact>}
      </Facts>
      {!isComplete && <p className="bk-hint">{tree.soFar(sessions)}</p>}
      {missing > 0 && <p className="bk-hint">{tree.missing(missing)}</p>}
    </section>
  );
}

/** Reads again when the session has called another agent, or its last run has ended: not at each event of a live session. */
function useUsageBelow({ review, openSession, costOf }: BelowUsageProps): UsageBelow | undefined {
  const [below, setBelow] = useState<UsageBelow>();
  const calls = review.calls.filter(({ session }) => session !== undefined).length;
  const ended = review.runs.filter(({ endSeq }) => endSeq !== undefined).length;
  useEffect(() => {
    const reading = usageBelow(review, openSession, { cost: costOf }).subscribe(setBelow);
    return () => reading.unsubscribe();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the numbers stand for the review, which changes with each event
  }, [calls, ended, openSession, costOf]);
  return below;
}
