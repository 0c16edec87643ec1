import { BehaviorSubject } from 'rxjs';

/** A section of the settings. */
export type SettingsSection =
  | 'model'
  | 'keys'
  | 'answers'
  | 'mcp'
  | 'skills'
  | 'workspace'
  | 'approvals'
  | 'usage'
  | 'storage'
  | 'devices'
  | 'appearance';

/** What lies over the page: one thing at a time. */
export type Overlay =
  | { readonly is: 'none' }
  | { readonly is: 'palette' }
  | { readonly is: 'help' }
  /** Unlocks the stored keys. */
  | { readonly is: 'unlock' }
  | { readonly is: 'settings'; readonly section?: SettingsSection }
  /** The model and the instructions of one chat; without an id, of the chat that begins with the next message. */
  | { readonly is: 'chat'; readonly sessionId: string | undefined }
  /** Plans a prompt; without an id, for a new conversation. */
  | { readonly is: 'later'; readonly sessionId: string | undefined }
  /** A read-only link to a conversation. */
  | { readonly is: 'share'; readonly session: { readonly id: string; readonly title: string } }
  /** `file`: a file that was dropped. */
  | { readonly is: 'import'; readonly file?: File };

const none: Overlay = { is: 'none' };
const subject = new BehaviorSubject<Overlay>(none);

export const overlay$ = subject.asObservable();
export const getOverlay = (): Overlay => subject.value;

/** Shows an overlay in the place of any other. */
export function openOverlay(overlay: Overlay): void {
  subject.next(overlay);
}

export function closeOverlay(): void {
  subject.next(none);
}
