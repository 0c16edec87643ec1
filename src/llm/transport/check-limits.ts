// The seam of loading: a wire that a page loads first leaves the check of rare options to this file.
export { checkClientOptions } from './check-options.ts';
