import { named } from '../../core/model/shapes/named.ts';
import type { ToolPart } from '../../core/model/message.ts';
import { requestOf, resultOf } from './calls.ts';
import { versionOf } from './content.ts';
import { revertEdits } from './edits.ts';
import type { WorkspaceOptions } from './preview-change.ts';
import { changeFile, expectVersion, toWorkspace } from './workspace.ts';

/** Options of `undoChange`. */
export interface UndoOptions extends WorkspaceOptions {
  /** Ends the wait for another tab that changes the file, which a tab that is frozen does for ever. Nothing is changed then. */
  readonly signal?: AbortSignal;
}

/** What `undoChange` did. */
export interface UndoneChange {
  readonly path: string;
  /** Whether the file was removed, because the call had created it. */
  readonly isRemoved: boolean;
}

/**
 * Takes back what a call of `write_file` or `patch_file` did: the file is again what the call found. What was there is in the log, so that this
 * works after a reload, too. Changes are taken back in the reverse order: a file that has changed since the call is left as it is.
 *
 *     const call = session.getMessages().flatMap(toolParts).find(({ callId }) => callId === chosen);
 *     if (call) await undoChange(call);
 *
 * Rejects with an `Error` that names the reason, and changes nothing, for a call that did not succeed, a file that has changed since, and a
 * log that does not contain what was there. Rejects with the reason of the signal.
 */
export async function undoChange(call: ToolPart, options: UndoOptions = {}): Promise<UndoneChange> {
  named(options, { directory: true, maxBytes: true, signal: true }, 'undoChange');
  const { signal = new AbortController().signal } = options;
  const result = call.status === 'succeeded' ? resultOf(call) : undefined;
  const request = requestOf(call);
  if (result === undefined || request === undefined)
    throw new Error(`The call ${call.callId} (${call.name}, ${call.status}) has changed no file.`);
  const { path, hash, replaced, at = [] } = result;
  const workspace = toWorkspace(options);
  const { after } = await changeFile(workspace, path, signal, async (current) => {
    const { text } = expectVersion(current, path, hash);
    if (replaced === undefined) return undefined;
    // From the log; `undefined` where the log does not contain it.
    const before = request.type === 'patch' ? revertEdits(text, request.edits, at) : oldContentOf(call);
    if (before !== undefined && (await versionOf(before, path, Infinity)).hash === replaced) return before;
    throw new Error(`The log does not contain what was in ${path} before: it was masked or shortened.`);
  });
  return { path, isRemoved: after === undefined };
}

function oldContentOf({ details }: ToolPart): string | undefined {
  return details?.type === 'diff' ? details.oldContent : undefined;
}
