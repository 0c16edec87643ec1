import { SkillError, toSkillError } from './skill-error.ts';

/** What could be read, and why the rest could not. */
interface ReadEach<Value> {
  readonly values: readonly Value[];
  readonly problems: readonly SkillError[];
}

/** Reads several items at once. An item that cannot be read is a problem of the path `pathOf(item)`, and stops no other item. */
export async function readEach<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Promise<Value>,
  pathOf: (item: Item) => string,
): Promise<ReadEach<Value>> {
  const results = await Promise.all(
    items.map((item) => read(item).catch((error: unknown) => toSkillError(error, pathOf(item)))),
  );
  return {
    values: results.flatMap((one) => (one instanceof SkillError ? [] : [one])),
    problems: results.flatMap((one) => (one instanceof SkillError ? [one] : [])),
  };
}
