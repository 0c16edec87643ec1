export { type AGUIClientOptions, createAGUIClient } from './client.ts';
export { toAGUIEvents } from './encode.ts';
export { toAGUIMessages } from './messages.ts';
export type { AGUIEvent, AGUIMessage, AGUIPart, AGUIToolCall } from './event.ts';
