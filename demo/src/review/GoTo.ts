import { createContext } from 'react';

/** Shows the moment after the event with this `seq`. */
export const GoTo = createContext<(seq: number) => void>(() => {});
