import { room } from '../base/room.ts';

// The list is not needed to begin a conversation.

export const Conversations = room(async () => (await import('./Conversations.tsx')).Conversations);
