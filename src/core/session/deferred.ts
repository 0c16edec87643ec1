// Rarely used code, loaded in one request on its first use.
export { unloadIdle } from './idle.ts';
export { salvage } from '../model/salvage.ts';
export { fork, snapshot } from '../model/snapshot.ts';
