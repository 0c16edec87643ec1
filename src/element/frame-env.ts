import type { ChatProps, ComposerProps } from '../ui/index.ts';
import type { Words } from './words.ts';

/** The actions of the chat that is shown. */
export type ShownChat = ComposerProps['chat'];

/** What the element gives to what it shows, and hears from it. */
export interface FrameEnv {
  readonly words: Words;
  readonly direction: 'ltr' | 'rtl';
  readonly isOpen: boolean;
  readonly unread: number;
  readonly draft: string;
  readonly setDraft: (text: string) => void;
  /** Wraps `send` of the chat by the event. Called with each rendering. */
  readonly toSend: (chat: ShownChat) => ShownChat;
  readonly onChat: (chat: ShownChat | undefined) => void;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly listeners: Pick<ChatProps, 'onFinish' | 'onError' | 'onApproval' | 'onSessionCreated' | 'onNewChat'>;
  readonly hasSlot: (name: string) => boolean;
}
