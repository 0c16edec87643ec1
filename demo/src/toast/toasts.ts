import { BehaviorSubject } from 'rxjs';
import { getTexts } from '../texts/language.ts';

/** A short message about something that has happened. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'bad';
  /** Something that the user can do about it. The toast closes then. */
  readonly action?: { readonly label: string; readonly run: () => void; readonly isUndo?: boolean };
  /** ms until the toast closes by itself; `Infinity` for a toast that waits for the user. */
  readonly duration: number;
}

const subject = new BehaviorSubject<readonly Toast[]>([]);
export const toasts$ = subject.asObservable();
export const getToasts = (): readonly Toast[] => subject.value;

/** ms: enough to read it, and to reach its button by keyboard. */
const briefly = 5_000;
const withAction = 12_000;
/** Older toasts give way. */
const most = 3;
let count = 0;

/** Shows a toast. Returns its id. */
export function showToast(
  text: string,
  { tone = 'plain', action, duration = action ? withAction : briefly }: Partial<Omit<Toast, 'id' | 'text'>> = {},
): number {
  const id = ++count;
  subject.next([...subject.value, { id, text, tone, duration, ...(action && { action }) }].slice(-most));
  return id;
}

/** Shows that something was done, with a button that undoes it. */
export function showUndo(text: string, run: () => void): void {
  showToast(text, { action: { label: getTexts().common.undo, isUndo: true, run } });
}

export function closeToast(id: number): void {
  subject.next(subject.value.filter((toast) => toast.id !== id));
}

/** Does what the latest toast with an Undo button offers. Returns whether there was one. */
export function undoLast(): boolean {
  const toast = subject.value.findLast(({ action }) => action?.isUndo);
  if (toast?.action === undefined) return false;
  closeToast(toast.id);
  toast.action.run();
  return true;
}
