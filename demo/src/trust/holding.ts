import type { Message, Tool, ToolPart } from 'brooklet';
import { isFromMCPApp } from 'brooklet/mcp/apps';
import { holdAfterUntrusted, type TrustOptions } from 'brooklet/tools';
import { createStored } from '../base/stored.ts';
import { tools } from '../tools/tools.ts';

/** Whether calls that act wait for the user once the model has read untrusted content. On unless the user switches it off. */
export const holding = createStored<boolean>('brooklet-studio:hold', {
  read: (text) => text !== 'off',
  write: (isOn) => (isOn ? undefined : 'off'),
});

/** Names of this page's own tools. No stranger writes into their results, and they change nothing. */
const own: ReadonlySet<string> = new Set(['count_primes', 'draw_brook']);

/** Between the name of a server and that of its resource, in the name of an attachment. */
const separator = ' › ';

/** Returns the name of an attachment that came from a server. `isUntrustedMessage` recognizes it in the log. */
export function nameOfResource(serverName: string, title: string): string {
  return `${serverName}${separator}${title}`;
}

const harmlessFilters: ((call: ToolPart) => boolean)[] = [];

/** Adds a filter: the calls that it accepts are harmless. */
export function addHarmlessFilter(accepts: (call: ToolPart) => boolean): void {
  harmlessFilters.push(accepts);
}

/** What this page says about its tools and messages. A tool about which it says nothing is untrusted, and may act. */
export const trust = {
  tools,
  trusted: ({ name }) => own.has(name) || name === 'edit_file',
  harmless: (call) =>
    !holding.get() || own.has(call.name) || call.name === 'list_files' || isRead(call) || isAccepted(call),
  isUntrustedMessage,
} satisfies TrustOptions;

const isRead = ({ name }: ToolPart): boolean => name === 'read_file';
const isAccepted = (call: ToolPart): boolean => harmlessFilters.some((accepts) => accepts(call));

/** Returns the tool with the rule against prompt injection. */
export function guard(tool: Tool): Tool {
  return holdAfterUntrusted([tool], trust)[0];
}

function isUntrustedMessage(message: Message): boolean {
  const isResource = message.content.some(
    (part) => 'name' in part && part.type !== 'tool' && (part.name ?? '').includes(separator),
  );
  return isResource || isFromMCPApp(message);
}
