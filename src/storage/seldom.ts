// What hardly a page needs, loaded in one go when one first does.
export { getFact, updateFact } from './facts.ts';
export { pack } from './pack.ts';
export { free, purge, remove, restore, wasRemoved } from './removal.ts';
export { search } from './search.ts';
export { unpack } from './unpack.ts';
