/**
 * Makes a selector of lists give the list it gave before for as long as the items are the same, and not even look
 * while its input is the same: a snapshot must keep its identity.
 */
export function keepSame<From, Item>(select: (from: From) => readonly Item[]): (from: From) => readonly Item[] {
  let from: From | undefined;
  let items: readonly Item[] = [];
  return (next) => {
    if (next === from) return items;
    from = next;
    const selected = select(next);
    const same = selected.length === items.length && selected.every((item, i) => items[i] === item);
    if (!same) items = selected;
    return items;
  };
}
