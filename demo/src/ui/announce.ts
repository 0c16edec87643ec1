/** ms after which a sentence leaves the page: a screen reader has it by then, and a search in the page must not find it. */
const lifetime = 8_000;

/** The only live region of the page, except for alerts. It exists before its first text: otherwise that text is not read. */
const region = createRegion();

function createRegion(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'visually-hidden';
  element.setAttribute('aria-live', 'polite');
  element.setAttribute('aria-relevant', 'additions');
  document.body.append(element);
  return element;
}

/** Lets a screen reader read a text after what it reads now. */
export function announce(text: string): void {
  if (text === '') return;
  const sentence = document.createElement('p');
  sentence.textContent = text;
  region.append(sentence);
  setTimeout(() => sentence.remove(), lifetime);
}
