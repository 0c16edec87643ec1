import type { EmitsToProps } from 'vue';
import type { BrookletChatEvents, BrookletChatProps } from './index.ts';
export { BrookletChat } from './index.ts';
export type { BrookletChatEvents, BrookletChatProps, ChatSending, ChatTheme, ChatTool } from './index.ts';

type Emits = { [Name in keyof BrookletChatEvents]: (event: BrookletChatEvents[Name]) => void };

declare module 'vue' {
  interface GlobalComponents {
    'brooklet-chat': new () => {
      $props: BrookletChatProps & EmitsToProps<Emits> & { id?: string; class?: unknown; lang?: string };
    };
  }
}
