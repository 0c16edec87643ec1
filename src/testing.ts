export { createScriptedClient, reply } from './core/llm/scripted.ts';
export type { Pace, Script, ScriptedClient, ScriptedClientOptions, ScriptStep } from './core/llm/scripted.ts';
export { storeContract } from './storage/contract.ts';
export type { StoreBehaviour, StoreContractOptions, StoreFeature } from './storage/contract.ts';
