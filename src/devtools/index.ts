// In the order in which to read it.
export { mountDevtools, type DevtoolsAgent, type DevtoolsOptions } from './mount-devtools.ts';
