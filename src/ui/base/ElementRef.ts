/** A ref to an element, of React 18 or React 19: the types of both, which differ, fit. */
export interface ElementRef<Kind extends Element> {
  readonly current: Kind | null;
}
