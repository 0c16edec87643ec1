import { createBuiltInClient } from 'brooklet/llm';

/** The model of the browser. Where it supports no tools, requests go without tools: an answer without tools is better than none. */
export const browserModel = createBuiltInClient({ languages: ['en'], omitTools: true });
