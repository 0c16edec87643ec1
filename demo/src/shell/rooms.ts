import { type FunctionComponent, lazy, type LazyExoticComponent } from 'react';

// The parts of the page that are not needed to begin a conversation.

const loaders: (() => Promise<unknown>)[] = [];

export const SettingsDialog = room(async () => (await import('../settings/SettingsDialog.tsx')).SettingsDialog);
export const ChatSettingsDialog = room(
  async () => (await import('../settings/ChatSettingsDialog.tsx')).ChatSettingsDialog,
);
export const Palette = room(async () => (await import('../palette/Palette.tsx')).Palette);
export const HelpDialog = room(async () => (await import('../palette/HelpDialog.tsx')).HelpDialog);
export const ImportDialog = room(async () => (await import('../sessions/ImportDialog.tsx')).ImportDialog);
export const SessionList = room(async () => (await import('../sessions/SessionList.tsx')).SessionList);
export const UnlockDialog = room(async () => (await import('../keys/UnlockDialog.tsx')).UnlockDialog);
export const UnlockCard = room(async () => (await import('../keys/UnlockCard.tsx')).UnlockCard);
export const Messages = room(async () => (await import('../conversation/Messages.tsx')).Messages);
export const VirtualRows = room(async () => (await import('../conversation/VirtualRows.tsx')).VirtualRows);
export const CallNotes = room(async () => (await import('../conversation/CallNotes.tsx')).CallNotes);
export const RuleNote = room(async () => (await import('../conversation/RuleNote.tsx')).RuleNote);
export const InterfaceMessage = room(async () => (await import('../mcp/InterfaceMessage.tsx')).InterfaceMessage);
export const ServerOffers = room(async () => (await import('../mcp/ServerOffers.tsx')).ServerOffers);
export const ReviewRoom = room(async () => (await import('../review/ReviewRoom.tsx')).ReviewRoom);
export const ShareDialog = room(async () => (await import('./laterRooms.ts')).loadShareDialog());
export const SessionSync = room(async () => (await import('./laterRooms.ts')).loadSessionSync());

// No room, but what answers a first message without a network.
loaders.push(() => import('../offline/client.ts'));

/** Loaded at once where conversations are encrypted, and else not at all. */
export const Gate = lazy(async () => ({ default: (await import('../encryption/Gate.tsx')).Gate }));

function room<Props>(load: () => Promise<FunctionComponent<Props>>): LazyExoticComponent<FunctionComponent<Props>> {
  loaders.push(load);
  return lazy(async () => ({ default: await load() }));
}

declare global {
  interface Navigator {
    /** Chromium only. */
    readonly connection?: { readonly saveData?: boolean };
  }
}

/** Loads all rooms when the page has nothing else to do, so that each opens at once. A person who saves data loads each as it is opened. */
export function preloadRooms(): void {
  if (navigator.connection?.saveData) return;
  whenIdle(() => {
    for (const load of loaders) load().catch(ignore);
  });
}

/** A room that cannot be loaded says so when it is opened. */
function ignore(): void {}

/** Calls `act` in idle time. Safari has no idle callbacks. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: 5_000 });
  else setTimeout(act, 2_000);
}
