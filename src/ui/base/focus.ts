/** As `ref` of a field: focuses it once it is in the page. Unlike `autoFocus`, which only React makes a call of `focus`. */
export function focusNow(field: HTMLElement | null): void {
  if (field) focusEnd(field);
}

/** Focuses a field; what is typed then follows its text. A runtime and a browser differ in where the caret is. */
export function focusEnd(field: HTMLElement): void {
  field.focus();
  // A field without a caret, of a number for example, has no selection.
  if (!(field instanceof HTMLTextAreaElement) && !(field instanceof HTMLInputElement)) return;
  const { selectionStart, value } = field;
  if (selectionStart !== null) field.setSelectionRange(value.length, value.length);
}

/** Returns the focused element of the page, also where it is within shadow trees; `null` where nothing has the focus. */
export function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused === document.body ? null : focused;
}
