import { createPresenter } from 'brooklet/tools';

/** How results are shown whose tool says nothing about it; and what an edit would do, before it is allowed. */
export const present = createPresenter();
