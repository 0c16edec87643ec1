// What a chat of text alone does not need, loaded in one go when one first goes beyond.
export { createChatExtras } from './rich-response.ts';
export { toChatMessages } from './messages.ts';
