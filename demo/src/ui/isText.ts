const noTexts: readonly string[] = ['checkbox', 'radio', 'range', 'file', 'search'];

/** Whether the target of an event is a field whose text the person would miss: no search, and no choice. */
export function isText(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return (
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !noTexts.includes(target.type))
  );
}
