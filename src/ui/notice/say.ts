import { type Context, createContext, useContext } from 'react';

/** Lets a screen reader read a sentence after what it reads now. */
export type Say = (text: string) => void;

/** Outside of an `Announcer`. */
export function silent(): void {}

/** What `Announcer` provides to the parts within it. Outside of one, nothing is read. */
export const SayContext: Context<Say> = createContext<Say>(silent);

/** Returns the function that lets a screen reader read a sentence. */
export function useSay(): Say {
  return useContext(SayContext);
}
