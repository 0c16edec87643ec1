import { type Context, createContext } from 'react';

/** Shows the moment after the event with this `seq`. */
export const GoTo: Context<(seq: number) => void> = createContext<(seq: number) => void>(() => {});
