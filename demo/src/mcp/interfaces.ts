import { readLocal, writeLocal } from '../base/local.ts';

/** In localStorage: a list shows a call with an interface before its server is connected. */
const key = 'brooklet-studio:mcp-interfaces';

const stored = (): readonly string[] => (readLocal(key) ?? '').split(' ').filter(Boolean);

/** Whether the tool of a call has an interface, as its server last said. */
export function hasInterface(toolName: string): boolean {
  return toolName.includes('__') && stored().includes(toolName);
}

/** Remembers which tools of a server have an interface. */
export function noteInterfaces(serverName: string, toolNames: readonly string[]): void {
  const others = stored().filter((name) => !name.startsWith(`${serverName}__`));
  writeLocal(key, [...others, ...toolNames].join(' ') || undefined);
}
