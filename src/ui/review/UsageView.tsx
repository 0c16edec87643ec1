import { type ReactElement, useContext, useMemo } from 'react';
import { totalInput, type Usage } from '../../core/model/index.ts';
import type { CostOf, Review, UsagePoint } from '../../review/index.ts';
import { Fact, Facts } from './Facts.tsx';
import { View } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';
import { useReviewTexts } from './reviewTexts.ts';
import { BelowUsage } from './tree/BelowUsage.tsx';
import { TreeContext } from './tree/TreeContext.ts';
import { UsageChart } from './UsageChart.tsx';

interface UsageViewProps {
  readonly review: Review;
  readonly costOf: CostOf | undefined;
}

const noUsage: Usage = { input: 0, output: 0 };

/** Rows of the table that are rendered. */
const maxRows = 500;

/** The tokens over time, and what they cost where the page knows prices. */
export function UsageView({ review, costOf }: UsageViewProps): ReactElement {
  const texts = useReviewTexts();
  const { facts: names, usage: words, formats } = texts;
  const { usage } = review;
  const openSession = useContext(TreeContext)?.openSession;
  const cost = useMemo(() => totalCost(usage, costOf), [usage, costOf]);
  const tokens = (count: number): string => names.tokensOf(formats.count(count));
  const last = usage.at(-1);
  const hasBelow = review.calls.some(({ session }) => session !== undefined);
  const below = openSession && hasBelow && (
    <BelowUsage review={review} openSession={openSession} costOf={costOf} own={last?.total ?? noUsage} ownCost={cost} />
  );
  if (last === undefined)
    return (
      <View name={texts.views.usage}>
        <p className="bk-nothing">{words.none}</p>
        {below}
      </View>
    );
  return (
    <View name={texts.views.usage}>
      <Facts>
        <Fact name={names.input}>{tokens(totalInput(last.total))}</Fact>
        <Fact name={names.output}>{tokens(last.total.output)}</Fact>
        {last.total.cached !== undefined && <Fact name={names.cached}>{tokens(last.total.cached)}</Fact>}
        {costOf && (
          <Fact name={names.cost}>{cost === undefined ? words.unknownPrice : words.about(formats.cost(cost))}</Fact>
        )}
      </Facts>
      {below}
      <UsageChart points={usage} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <div className="bk-table" tabIndex={0} role="group" aria-label={words.table}>
        <table>
          <caption className="bk-hidden">{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{names.moment}</th>
              <th scope="col">{names.time}</th>
              <th scope="col">{names.model}</th>
              <th scope="col">{names.input}</th>
              <th scope="col">{names.output}</th>
              <th scope="col">{names.total}</th>
              {costOf && <th scope="col">{names.cost}</th>}
            </tr>
          </thead>
          <tbody>
            {usage.slice(-maxRows).map((point) => (
              <Row key={point.seq} point={point} costOf={costOf} />
            ))}
          </tbody>
        </table>
      </div>
      {usage.length > maxRows && <p className="bk-hint">{words.last(maxRows, usage.length)}</p>}
    </View>
  );
}

/** The cost of the answers whose price is known; `undefined` where none is. */
function totalCost(usage: readonly UsagePoint[], costOf: CostOf | undefined): number | undefined {
  const costs = usage.flatMap(({ usage: used, model }) => costOf?.(used, model) ?? []);
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

function Row({ point, costOf }: { readonly point: UsagePoint; readonly costOf: CostOf | undefined }): ReactElement {
  const { formats } = useReviewTexts();
  const { seq, at, usage, total, model } = point;
  const cost = costOf?.(usage, model);
  return (
    <tr>
      <td>
        <MomentLink seq={seq} />
      </td>
      <td>{formats.time(at)}</td>
      <td>{model ?? '–'}</td>
      <td>{formats.count(totalInput(usage))}</td>
      <td>{formats.count(usage.output)}</td>
      <td>{formats.count(totalInput(total) + total.output)}</td>
      {costOf && <td>{cost === undefined ? '–' : formats.cost(cost)}</td>}
    </tr>
  );
}
