import type { HTMLAttributes } from 'svelte/elements';
import type { BrookletChat, BrookletChatEvents, BrookletChatProps } from './index.js';
export * from './index.js';

/** Svelte 5 adds a listener for `on` and the name of an event. */
type Listeners = { [Name in keyof BrookletChatEvents as `on${Name}`]?: (event: BrookletChatEvents[Name]) => void };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'brooklet-chat': Omit<HTMLAttributes<BrookletChat>, keyof BrookletChatProps | keyof Listeners> &
      BrookletChatProps &
      Listeners;
  }
}
