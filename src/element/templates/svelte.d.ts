import type { HTMLAttributes } from 'svelte/elements';
import type { BrookletChat, BrookletChatEvents, BrookletChatProps } from './index.ts';
export { BrookletChat } from './index.ts';
export type { BrookletChatEvents, BrookletChatProps, ChatSending, ChatTheme, ChatTool } from './index.ts';

/** Svelte 5 adds a listener for `on` and the name of an event. */
type Listeners = { [Name in keyof BrookletChatEvents as `on${Name}`]?: (event: BrookletChatEvents[Name]) => void };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'brooklet-chat': Omit<HTMLAttributes<BrookletChat>, keyof BrookletChatProps | keyof Listeners> &
      BrookletChatProps &
      Listeners;
  }
}
