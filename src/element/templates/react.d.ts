import type { HTMLAttributes, Ref } from 'react';
import type { BrookletChat, BrookletChatEvents, BrookletChatProps } from './index.ts';
export { BrookletChat } from './index.ts';
export type { BrookletChatEvents, BrookletChatProps, ChatSending, ChatTheme, ChatTool } from './index.ts';

/** React 19 adds a listener for `on` and the name of an event. */
type Listeners = { [Name in keyof BrookletChatEvents as `on${Name}`]?: (event: BrookletChatEvents[Name]) => void };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'brooklet-chat': Omit<HTMLAttributes<BrookletChat>, keyof BrookletChatProps> &
        BrookletChatProps &
        Listeners & { ref?: Ref<BrookletChat> | undefined; key?: string | number | null | undefined };
    }
  }
}
