export { type AGUIClientOptions, createAGUIClient } from './client.ts';
export { createAGUIInterruptTool } from './interrupt-tool.ts';
export { readAGUIState } from './state.ts';
export { toAGUIEvents } from './encode.ts';
export { toAGUIMessages } from './messages.ts';
export { type ForeignMessage, fromAGUIMessages } from './from-messages.ts';
export { type AGUIRunInput, connectAGUI, runAGUI } from './run.ts';
export type { AGUIEvent, AGUIInterrupt, AGUIMessage, AGUIOutcome, AGUIPart, AGUIToolCall } from './event.ts';
