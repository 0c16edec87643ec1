import { isComposing } from 'brooklet/ui';

/** Whether the keyboard is that of a Mac, where ⌘ is what Ctrl is elsewhere. */
const isMac = /mac|iphone|ipad/iu.test(navigator.userAgent);

/** A combination of keys. `mod`: Ctrl, or ⌘ on a Mac. */
export interface Combination {
  readonly key: string;
  readonly mod?: boolean;
  readonly shift?: boolean;
  /** Whether the combination works in a text field too, or in an empty one. Default: whether it has `mod`. */
  readonly inFields?: boolean | 'empty';
}

/** The keys of the whole page. */
export const keys = {
  palette: { key: 'k', mod: true },
  newChat: { key: 'o', mod: true, shift: true },
  search: { key: '/' },
  settings: { key: ',', mod: true },
  chatSettings: { key: '.', mod: true },
  sidebar: { key: 'b', mod: true },
  answerAgain: { key: 'Enter', mod: true, shift: true, inFields: 'empty' },
  help: { key: '?' },
  undo: { key: 'z', mod: true, inFields: 'empty' },
} as const satisfies Readonly<Record<string, Combination>>;

/** What the keys of the page, and the palette, do. */
export interface ShellActions {
  /** The conversation that is shown. */
  readonly sessionId: string | undefined;
  readonly onNewChat: () => void;
  readonly onSearch: () => void;
  readonly onSidebar: () => void;
  readonly onAnswerAgain: () => void;
}

const symbols: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Escape: 'Esc',
};

/** Returns the keys as they are written on the keyboard, one by one. */
export function keyCaps({ key, mod = false, shift = false }: Combination): readonly string[] {
  return [
    ...(mod ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(shift ? [isMac ? '⇧' : 'Shift'] : []),
    symbols[key] ?? key.toUpperCase(),
  ];
}

/** Returns the combination for `aria-keyshortcuts`. */
export function ariaKeys({ key, mod = false, shift = false }: Combination): string {
  const rest = `${shift ? 'Shift+' : ''}${key.length === 1 ? key.toUpperCase() : key}`;
  return mod ? `${isMac ? 'Meta' : 'Control'}+${rest}` : rest;
}

/** Whether an event is this combination, pressed where it may act. */
export function isPressed(event: KeyboardEvent, combination: Combination): boolean {
  const { key, mod = false, shift = false, inFields = mod } = combination;
  if (isComposing(event) || event.altKey || event.key.toLowerCase() !== key.toLowerCase()) return false;
  // On a Mac, Ctrl moves the cursor in a text field.
  const [modKey, otherKey] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (modKey !== mod || otherKey) return false;
  // A character such as `?` may need Shift on some keyboards and not on others.
  if (mod && event.shiftKey !== shift) return false;
  const field = fieldAt(event.target);
  return inFields === true || field === null || (inFields === 'empty' && isEmpty(field));
}

function fieldAt(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('input, textarea, select, [contenteditable]') : null;
}

/** Whether a field has nothing of its own that the combination could be meant for. */
function isEmpty(field: Element): boolean {
  return 'value' in field && field.value === '';
}
