export { type AGUIClientOptions, createAGUIClient } from './core/agui/client.ts';
export { toAGUIEvents } from './core/agui/encode.ts';
export { toAGUIMessages } from './core/agui/messages.ts';
export type { AGUIEvent, AGUIMessage, AGUIPart, AGUIToolCall } from './core/agui/event.ts';
