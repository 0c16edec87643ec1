export { createScriptedClient, reply } from './scripted.ts';
export type { StreamOptions, Script, ScriptedClient, ScriptedClientOptions, ScriptStep } from './scripted.ts';
export { replay } from './replay/replay.ts';
export type { Replayed, ReplayOptions } from './replay/options.ts';
export { toTest, type TestSourceOptions } from './replay/to-test.ts';
export { type ReplayDifference, ReplayError, type ReplayErrorOptions } from './replay/replay-error.ts';
export { storeContract } from './store-contract.ts';
export type { StoreBehaviour, StoreContractOptions, StoreFeature } from './store-contract.ts';
export { browserPorts, type Ports } from '../core/ports.ts';
