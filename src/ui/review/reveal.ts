/** Scrolls a list so that one of its elements is in view. Unlike `scrollIntoView` it does not scroll the page around the list. */
export function reveal(list: Element | null, selector: string): void {
  const element = list?.querySelector(selector);
  if (!list || !element) return;
  const [frame, inner] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  list.scrollTop += distance(frame.top, frame.bottom, inner.top, inner.bottom);
  list.scrollLeft += distance(frame.left, frame.right, inner.left, inner.right);
}

function distance(start: number, end: number, from: number, to: number): number {
  if (from < start) return from - start;
  return to > end ? to - end : 0;
}
