// What hardly a page needs, loaded in one go when one first does.
export { unloadIdle } from './idle.ts';
export { salvage } from '../model/salvage.ts';
export { fork, snapshot } from '../model/snapshot.ts';
