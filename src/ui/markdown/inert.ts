import { type Context, createContext, useContext } from 'react';

/** What a log of somebody else may do in the page. */
export interface Inertness {
  /** Whether links and pictures of other hosts are text: nothing leads away, and nothing is loaded. */
  readonly isInert: boolean;
  /** Whether pictures that are part of a message are shown. */
  readonly showsPictures: boolean;
}

/** For the messages inside. Default: links work, and pictures are shown. */
export const InertContext: Context<Inertness> = createContext<Inertness>({ isInert: false, showsPictures: true });

/** Returns what the messages around may do. */
export function useInert(): Inertness {
  return useContext(InertContext);
}
