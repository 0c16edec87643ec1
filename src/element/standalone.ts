// All of dist/brooklet-chat.min.js: the element, and what a page with one script tag makes for it.
export { BrookletChat } from './index.ts';
export { AgentError, createAgent, createChatCompletionsClient, defineTool } from '../index.ts';
export { createProviderClient } from '../llm/providers/index.ts';
export { createIndexedDBStore } from '../storage/index.ts';
export { chinese, english } from '../ui/index.ts';
