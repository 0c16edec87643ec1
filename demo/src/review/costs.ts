import { anthropic, costOf, findModel, gemini, moonshot, openai } from 'brooklet/providers';
import type { UsagePoint } from 'brooklet/review';

const tables = [openai, anthropic, gemini, moonshot].map(({ models }) => models);

/** What the answers of a session cost, in US dollars. */
export interface Costs {
  /** By `seq` of the answer; missing where the price is unknown. */
  readonly bySeq: ReadonlyMap<number, number>;
  /** `undefined` where no price is known. */
  readonly total: number | undefined;
}

/** Returns the cost of the answers whose model has a known list price. */
export function costsOf(points: readonly UsagePoint[]): Costs {
  const bySeq = new Map<number, number>();
  for (const { seq, usage, model = '' } of points) {
    const price = tables.map((table) => findModel(table, model)?.price).find((one) => one !== undefined);
    if (price) bySeq.set(seq, costOf(usage, price));
  }
  const total = bySeq.size === 0 ? undefined : Array.from(bySeq.values()).reduce((sum, cost) => sum + cost, 0);
  return { bySeq, total };
}
