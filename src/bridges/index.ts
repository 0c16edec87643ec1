export { toUIMessages } from './to-ui-messages.ts';
export type { UIMessage, UIPart, UIToolPart } from './ui-message.ts';
export { toChatMessages, type ChatBlock, type ChatCall, type ChatMessage } from './to-chat-messages.ts';
