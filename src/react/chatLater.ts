// A seam: what few chats need, loaded in one go when one first does.
export { tell } from './chatEvents.ts';
export { createChatVerbs, withFiles } from './chatVerbs.ts';
