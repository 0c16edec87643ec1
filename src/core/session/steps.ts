// A seam: the code of a run's steps, loaded as the agent is created, with all that it imports.
export { createRunLoop } from './run-loop.ts';
export { createToRequest } from './to-request.ts';
