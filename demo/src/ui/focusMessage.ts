/** Moves the focus to the field for a message, in the next frame: after a dialog has closed. On a touch screen to the page: a keyboard would cover half of it. */
export function focusMessage(): void {
  requestAnimationFrame(() => {
    const main = document.getElementById('main');
    const field = matchMedia('(hover: hover)').matches && main?.querySelector<HTMLElement>('[data-focus-home]');
    (field || main)?.focus();
  });
}
