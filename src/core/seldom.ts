// What hardly a page needs, loaded in one go when one first does.
export { unloadIdle } from './idle.ts';
export { salvage } from './log/salvage.ts';
export { fork, snapshot } from './log/snapshot.ts';
