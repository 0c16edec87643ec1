import { type Context, createContext, useContext } from 'react';
import type { Components } from './props.ts';

/** The parts that the page has replaced in the `Chat` around. */
export const PartsContext: Context<Components> = createContext<Components>({});

/** Returns the parts that the page has replaced. */
export function useParts(): Components {
  return useContext(PartsContext);
}
