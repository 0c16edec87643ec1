import { room } from '../base/room.ts';

// The parts of the page of a conversation that are not needed to begin one.

export const Messages = room(async () => (await import('./Messages.tsx')).Messages);
export const PartOf = room(async () => (await import('./PartOf.tsx')).PartOf);
export const TakeOutMenu = room(async () => (await import('../takeout/TakeOutMenu.tsx')).TakeOutMenu);
export const SidePane = room(async () => (await import('../pane/SidePane.tsx')).SidePane);
export const ServerOffers = room(async () => (await import('../mcp/ServerOffers.tsx')).ServerOffers);
export const ContextMeter = room(async () => (await import('./ContextMeter.tsx')).ContextMeter);
export const ChatModel = room(async () => (await import('../settings/ChatModel.tsx')).ChatModel);
export const SessionSync = room(async () => (await import('./laterRooms.ts')).loadSessionSync());
