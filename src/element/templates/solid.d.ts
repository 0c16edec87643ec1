import type { JSX } from 'solid-js';
import type { BrookletChat, BrookletChatEvents, BrookletChatProps } from './index.ts';
export { BrookletChat } from './index.ts';
export type { BrookletChatEvents, BrookletChatProps, ChatSending, ChatTheme, ChatTool } from './index.ts';

/** `on:finish={…}`: a listener of the element itself. */
type Listeners = { [Name in keyof BrookletChatEvents as `on:${Name}`]?: (event: BrookletChatEvents[Name]) => void };
/** `prop:agent={…}`: a property, not an attribute. */
type Properties = { [Name in keyof BrookletChatProps as `prop:${Name}`]?: BrookletChatProps[Name] };
type Attributes = {
  [
    Name in
      | 'provider'
      | 'model'
      | 'base-url'
      | 'instructions'
      | 'session-id'
      | 'theme'
      | 'placeholder'
      | 'welcome'
      | 'launcher'
  ]?: string;
};

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'brooklet-chat': Omit<JSX.HTMLAttributes<BrookletChat>, keyof Attributes | keyof Listeners> &
        Attributes &
        Properties &
        Listeners;
    }
  }
}
