import { createPresenter } from 'brooklet/tools';

export { tools } from './tools/tools.ts';

/** Presents the results of tools that have no `present` of their own, and previews an edit before its approval. */
export const present = createPresenter();
