import { totalInput } from 'brooklet/core';
import type { Review, UsagePoint } from 'brooklet/review';
import { type ReactElement, useMemo } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
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
  const texts = useReviewTexts();
  const { facts: names, usage: words } = texts;
  const { usage } = review;
  const costs = useMemo(() => costsOf(usage), [usage]);
  const last = usage.at(-1);
  if (last === undefined)
    return (
      <View name={texts.views.usage}>
        <p className="nothing">{words.none}</p>
      </View>
    );
  return (
    <View name={texts.views.usage}>
      <Facts>
        <Fact name={names.input}>{texts.tokens(formatCount(texts, totalInput(last.total)))}</Fact>
        <Fact name={names.output}>{texts.tokens(formatCount(texts, last.total.output))}</Fact>
        {last.total.cached !== undefined && (
          <Fact name={names.cached}>{texts.tokens(formatCount(texts, last.total.cached))}</Fact>
        )}
        <Fact name={names.cost}>
          {costs.total === undefined ? words.unknownPrice : words.about(formatCost(texts, costs.total))}
        </Fact>
      </Facts>
      <UsageChart points={usage} />
      <table className="table">
        <caption className="visually-hidden">{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{names.moment}</th>
            <th scope="col">{names.time}</th>
            <th scope="col">{names.model}</th>
            <th scope="col">{names.input}</th>
            <th scope="col">{names.output}</th>
            <th scope="col">{names.total}</th>
            <th scope="col">{names.cost}</th>
          </tr>
        </thead>
        <tbody>
          {usage.slice(-maxRows).map((point) => (
            <Row key={point.seq} point={point} cost={costs.bySeq.get(point.seq)} />
          ))}
        </tbody>
      </table>
      {usage.length > maxRows && <p className="hint">{words.last(maxRows, usage.length)}</p>}
    </View>
  );
}

function Row({ point, cost }: { readonly point: UsagePoint; readonly cost: number | undefined }): ReactElement {
  const texts = useReviewTexts();
  const { seq, at, usage, total, model } = point;
  return (
    <tr>
      <td>
        <MomentLink seq={seq} />
      </td>
      <td>{formatTime(texts, at)}</td>
      <td className="name">{model ?? '–'}</td>
      <td>{formatCount(texts, totalInput(usage))}</td>
      <td>{formatCount(texts, usage.output)}</td>
      <td>{formatCount(texts, totalInput(total) + total.output)}</td>
      <td>{cost === undefined ? '–' : formatCost(texts, cost)}</td>
    </tr>
  );
}
