import { BrookletChat } from './BrookletChat.ts';

/** The name of the element. */
const tag = 'brooklet-chat';

/** Defines `<brooklet-chat>`, unless the page has it: two copies of the file on a page are one element. Nothing on a server. */
export function defineBrookletChat(): void {
  if (typeof customElements !== 'undefined' && !customElements.get(tag)) customElements.define(tag, BrookletChat);
}
