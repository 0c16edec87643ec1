import { tools } from '../tools/tools.ts';

/** Tools of this page that change something. */
const writing: ReadonlySet<string> = new Set(['add_note', 'delete_note', 'edit_file', 'write_file', 'patch_file']);
const harmless = new Set(tools.map(({ name }) => name).filter((name) => !writing.has(name)));

/**
 * Returns where the start of a call must be stored before its tool runs. A tool that changes something runs on one device only, so it waits
 * for the engine; any other tool of this page runs without the engine, too. What the tools of servers change is not known.
 */
export function claimOf(toolName: string): 'remote' | 'local' {
  return harmless.has(toolName) ? 'local' : 'remote';
}
