// A seam: the code of a run's steps, loaded as the agent is created, with all that it imports.
export { perform } from './perform.ts';
export { prepareRequest } from '../context/prepare-request.ts';
