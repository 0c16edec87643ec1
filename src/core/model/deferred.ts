// A seam of loading: what few pages need, loaded in one go when a page first does. Plain synchronous code on both sides.
export { salvage } from './salvage.ts';
export { fork, snapshot } from './snapshot.ts';
export { upcastLog } from './upcast.ts';
