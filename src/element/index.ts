// `<brooklet-chat>` for a bundler. The import defines the element.
import { defineBrookletChat } from './define.ts';

export { BrookletChat } from './BrookletChat.ts';
export type { BrookletChatEvents, BrookletChatProps, ChatSending, ChatTheme, ChatTool } from './types.ts';

defineBrookletChat();
