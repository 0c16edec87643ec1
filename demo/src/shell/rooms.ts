import { lazy } from 'react';
import { alsoPreload, room } from './room.ts';

// The parts of the page that are not needed to begin a conversation.

export const SettingsDialog = room(async () => (await import('../settings/SettingsDialog.tsx')).SettingsDialog);
export const ChatSettingsDialog = room(
  async () => (await import('../settings/ChatSettingsDialog.tsx')).ChatSettingsDialog,
);
export const LaterDialog = room(async () => (await import('../schedule/LaterDialog.tsx')).LaterDialog);
export const Palette = room(async () => (await import('../palette/Palette.tsx')).Palette);
export const HelpDialog = room(async () => (await import('../palette/HelpDialog.tsx')).HelpDialog);
export const ImportDialog = room(async () => (await import('../sessions/ImportDialog.tsx')).ImportDialog);
export const Conversations = room(async () => (await import('../sessions/Conversations.tsx')).Conversations);
export const UnlockDialog = room(async () => (await import('../keys/UnlockDialog.tsx')).UnlockDialog);
export const Messages = room(async () => (await import('../conversation/Messages.tsx')).Messages);
export const TakeOutMenu = room(async () => (await import('../takeout/TakeOutMenu.tsx')).TakeOutMenu);
export const SidePane = room(async () => (await import('../pane/SidePane.tsx')).SidePane);
export const ServerOffers = room(async () => (await import('../mcp/ServerOffers.tsx')).ServerOffers);
export const ReviewRoom = room(async () => (await import('../review/ReviewRoom.tsx')).ReviewRoom);
export const ContextMeter = room(async () => (await import('../conversation/ContextMeter.tsx')).ContextMeter);
export const ChatModel = room(async () => (await import('../settings/ChatModel.tsx')).ChatModel);
export const ShareDialog = room(async () => (await import('./laterRooms.ts')).loadShareDialog());
export const SessionSync = room(async () => (await import('./laterRooms.ts')).loadSessionSync());

// No room, but what answers a first message without a network.
alsoPreload(() => import('../offline/client.ts'));

/** Loaded at once where conversations are encrypted, and else not at all. */
export const Gate = lazy(async () => ({ default: (await import('../encryption/Gate.tsx')).Gate }));
