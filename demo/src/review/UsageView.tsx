import { totalInput } from 'brooklet/core';
import type { Review, UsagePoint } from 'brooklet/review';
import { type ReactElement, useMemo } from 'react';
import { costsOf } from './costs.ts';
import { Fact, Facts } from './Facts.tsx';
import { formatCost, formatCount, formatTime } from './format.ts';
import { View } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';
import { UsageChart } from './UsageChart.tsx';

/** Rows of the table that are rendered. */
const maxRows = 500;

/** The tokens over time, and what they cost where the price of the model is known. */
export function UsageView({ review }: { readonly review: Review }): ReactElement {
  const { usage } = review;
  const costs = useMemo(() => costsOf(usage), [usage]);
  const last = usage.at(-1);
  if (last === undefined)
    return (
      <View name="Tokens">
        <p className="nothing">No answer reported its tokens.</p>
      </View>
    );
  return (
    <View name="Tokens">
      <Facts>
        <Fact name="Input">{formatCount(totalInput(last.total))} tokens</Fact>
        <Fact name="Output">{formatCount(last.total.output)} tokens</Fact>
        {last.total.cached !== undefined && <Fact name="From the cache">{formatCount(last.total.cached)} tokens</Fact>}
        <Fact name="Cost">{costs.total === undefined ? 'unknown price' : `about ${formatCost(costs.total)}`}</Fact>
      </Facts>
      <UsageChart points={usage} />
      <table className="table">
        <caption className="visually-hidden">Tokens of each answer</caption>
        <thead>
          <tr>
            <th scope="col">Moment</th>
            <th scope="col">Time</th>
            <th scope="col">Model</th>
            <th scope="col">Input</th>
            <th scope="col">Output</th>
            <th scope="col">In all</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {usage.slice(-maxRows).map((point) => (
            <Row key={point.seq} point={point} cost={costs.bySeq.get(point.seq)} />
          ))}
        </tbody>
      </table>
      {usage.length > maxRows && (
        <p className="hint">
          The last {maxRows} of {usage.length} answers.
        </p>
      )}
    </View>
  );
}

function Row({ point, cost }: { readonly point: UsagePoint; readonly cost: number | undefined }): ReactElement {
  const { seq, at, usage, total, model } = point;
  return (
    <tr>
      <td>
        <MomentLink seq={seq} />
      </td>
      <td>{formatTime(at)}</td>
      <td className="name">{model ?? '–'}</td>
      <td>{formatCount(totalInput(usage))}</td>
      <td>{formatCount(usage.output)}</td>
      <td>{formatCount(totalInput(total) + total.output)}</td>
      <td>{cost === undefined ? '–' : formatCost(cost)}</td>
    </tr>
  );
}
