import { type Context, createContext } from 'react';

/** What opens the session of a call in the review around. */
export interface TreeEnv {
  readonly open: (sessionId: string) => void;
  /** The sessions on the path: they are open already. */
  readonly path: readonly string[];
}

/** `undefined` where the page opens no sessions. */
export const TreeContext: Context<TreeEnv | undefined> = createContext<TreeEnv | undefined>(undefined);
