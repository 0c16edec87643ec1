import type { Model } from '../../llm/providers/index.ts';

/** What can be chosen: listed models by group, and the name that was typed. */
export interface Choices {
  readonly recent: readonly Model[];
  readonly others: readonly Model[];
  /** Models that match, and are not shown. */
  readonly leftOut: number;
  /** The typed name, where no listed model has exactly this name. */
  readonly typed: string | undefined;
}

/** Models that are shown: more are found by typing. */
const maxShown = 200;

/** Returns what matches the typed words, in any case: recent models first. Recent ones that the service does not list are kept. */
export function toChoices(
  models: readonly Model[],
  { query, recent, value }: { readonly query: string; readonly recent: readonly string[]; readonly value: string },
): Choices {
  const typed = query.trim();
  const words = typed.toLowerCase().split(/\s+/);
  const matches = ({ id, name = '' }: Model): boolean => {
    const text = `${id} ${name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const byId = new Map(models.map((model) => [model.id, model]));
  const recentIds = [...new Set([...(value === '' ? [] : [value]), ...recent])];
  const recentModels = recentIds.map((id): Model => byId.get(id) ?? { id });
  const isRecent = new Set(recentIds);
  const others = models.filter((model) => !isRecent.has(model.id) && matches(model));
  const isListed = byId.has(typed) || isRecent.has(typed);
  return {
    recent: recentModels.filter(matches),
    others: others.slice(0, maxShown),
    leftOut: Math.max(0, others.length - maxShown),
    typed: typed === '' || isListed ? undefined : typed,
  };
}
