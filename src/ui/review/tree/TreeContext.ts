import { type Context, createContext } from 'react';
import type { OpenSession } from '../../../review/index.ts';

/** What opens the session of a call in the review around. */
export interface TreeEnv {
  /** That of the page. */
  readonly openSession: OpenSession;
  /** Shows a session below the one that is shown; nothing happens for one of the path. */
  readonly open: (sessionId: string) => void;
  /** The sessions on the path: they are open already. */
  readonly path: readonly string[];
}

/** `undefined` where the page opens no sessions. */
export const TreeContext: Context<TreeEnv | undefined> = createContext<TreeEnv | undefined>(undefined);
