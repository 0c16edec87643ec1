/** As `ref` of a field: focuses it once it is in the page. Unlike `autoFocus`, which only React makes a call of `focus`. */
export function focusNow(field: HTMLElement | null): void {
  field?.focus();
}

/** Returns the focused element of the page, also where it is within shadow trees; `null` where nothing has the focus. */
export function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused === document.body ? null : focused;
}
