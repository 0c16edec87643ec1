import { lazy } from 'react';
import { alsoPreload, room } from '../base/room.ts';

// The parts of the page that are not needed to begin a conversation.

export const SettingsDialog = room(async () => (await import('../settings/SettingsDialog.tsx')).SettingsDialog);
export const ChatSettingsDialog = room(
  async () => (await import('../settings/ChatSettingsDialog.tsx')).ChatSettingsDialog,
);
export const LaterDialog = room(async () => (await import('../schedule/LaterDialog.tsx')).LaterDialog);
export const Palette = room(async () => (await import('../palette/Palette.tsx')).Palette);
export const HelpDialog = room(async () => (await import('../palette/HelpDialog.tsx')).HelpDialog);
export const ImportDialog = room(async () => (await import('../sessions/ImportDialog.tsx')).ImportDialog);
export const UnlockDialog = room(async () => (await import('../keys/UnlockDialog.tsx')).UnlockDialog);
export const ReviewRoom = room(async () => (await import('../review/ReviewRoom.tsx')).ReviewRoom);
export const ShareDialog = room(async () => (await import('./laterRooms.ts')).loadShareDialog());

// No room, but what answers a first message without a network.
alsoPreload(() => import('../offline/client.ts'));

/** Loaded at once where conversations are encrypted, and else not at all. */
export const Gate = lazy(async () => ({ default: (await import('../encryption/Gate.tsx')).Gate }));
