/**
 * Wraps a selector of lists: the wrapped selector returns the previous list while the items are the same, and does not
 * run at all while its input is the same. A snapshot for `useSyncExternalStore` must keep its identity.
 */
export function keepSame<From, Item>(select: (from: From) => readonly Item[]): (from: From) => readonly Item[] {
  let lastFrom: From | undefined;
  let items: readonly Item[] = [];
  return (from) => {
    if (from === lastFrom) return items;
    lastFrom = from;
    const selected = select(from);
    const isSame = selected.length === items.length && selected.every((item, i) => items[i] === item);
    if (!isSame) items = selected;
    return items;
  };
}
