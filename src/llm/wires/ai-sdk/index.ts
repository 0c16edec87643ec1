export { type AISDKClient, type AISDKOptions, createAISDKClient } from './client.ts';
export type { AISDKModel } from './model.ts';
