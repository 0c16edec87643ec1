import type { ToolPart } from 'brooklet';
import { serverNameOf } from '../mcp/serverNameOf.ts';
import { findServer } from '../mcp/servers.ts';
import { workspace } from '../workspace/place.ts';

/**
 * Resolves when what a call needs is there: its server, or the permission for its folder, which the browser asks for by a click. Rejects with
 * the reason; the call waits on.
 */
export async function callReady({ name }: ToolPart): Promise<void> {
  if (findServer(serverNameOf(name))) await (await import('../mcp/ready.ts')).serverReady(name);
  if (workspace.get() === 'picked' && /^(?:write|patch)_file$/u.test(name))
    await (await import('../workspace/folder.ts')).allowAccess();
}
