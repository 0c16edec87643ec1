import { BehaviorSubject } from 'rxjs';

/** What the pane at the side shows. */
export type Beside =
  /** A block of code; one of HTML is shown as a page, one of Mermaid as a drawing. */
  | { readonly is: 'code'; readonly language: string; readonly text: string }
  /** A long answer. */
  | { readonly is: 'answer'; readonly text: string };

const subject = new BehaviorSubject<Beside | undefined>(undefined);

export const pane$ = subject.asObservable();
export const getPane = (): Beside | undefined => subject.value;

/** The element that had the focus before the pane opened. */
let opener: Element | null = null;

/** Shows something at the side, in the place of what is there. */
export function openPane(beside: Beside): void {
  if (subject.value === undefined) opener = document.activeElement;
  subject.next(beside);
}

/** Closes the pane. The focus returns to where it was. */
export function closePane(): void {
  if (subject.value === undefined) return;
  subject.next(undefined);
  if (opener instanceof HTMLElement) opener.focus();
  opener = null;
}
