import type { HTMLAttributes, Ref } from 'preact';
import type { BrookletChat, BrookletChatEvents, BrookletChatProps } from './index.ts';
export { BrookletChat } from './index.ts';
export type { BrookletChatEvents, BrookletChatProps, ChatSending, ChatTheme, ChatTool } from './index.ts';

/** Preact adds a listener for `on` and the name of an event. */
type Listeners = { [Name in keyof BrookletChatEvents as `on${Name}`]?: (event: BrookletChatEvents[Name]) => void };

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'brooklet-chat': Omit<HTMLAttributes<HTMLElement>, keyof BrookletChatProps | 'ref'> &
        BrookletChatProps &
        Listeners & { ref?: Ref<BrookletChat> | undefined };
    }
  }
}
