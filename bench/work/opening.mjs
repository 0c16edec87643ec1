import { withTab } from './ask.mjs';

/** @type {import('../work.mjs').Work} */
export const opening = {
  id: 'I',
  title: 'Reading from IndexedDB after a reload',
  metrics: [{ id: 'wall', unit: 'ms', absolute: true }],
  cases: [],
};
void withTab;
