/** How a list differs from another one. */
export interface ListChanges<T> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
  readonly changed: readonly { readonly before: T; readonly after: T }[];
}

/** Compares two lists whose items have keys. Items are the same if their JSON is. */
export function compareLists<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): ListChanges<T> {
  const old = new Map(before.map((item) => [keyOf(item), item]));
  const added: T[] = [];
  const changed: { readonly before: T; readonly after: T }[] = [];
  for (const item of after) {
    const was = old.get(keyOf(item));
    old.delete(keyOf(item));
    if (was === undefined) added.push(item);
    else if (was !== item && JSON.stringify(was) !== JSON.stringify(item)) changed.push({ before: was, after: item });
  }
  return { added, removed: [...old.values()], changed };
}
