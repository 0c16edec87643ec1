// What a chat of text alone does not need, loaded in one go when one first goes beyond.
export { createChatExtras } from './chat-extras.ts';
export { toChatMessages } from './chat-messages.ts';
