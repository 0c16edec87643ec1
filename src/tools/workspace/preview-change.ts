import { named } from '../../core/model/shapes/named.ts';
import type { ToolDetails, ToolPart } from '../../core/model/message.ts';
import { diffOf, requestOf } from './calls.ts';
import type { WorkspaceDirectory } from './open-workspace.ts';
import { readFile, toWorkspace } from './workspace.ts';

/** Where the files of a call are. */
export interface WorkspaceOptions {
  /** The folder that the tools were given. Default: `openWorkspace`, in OPFS. */
  readonly directory?: WorkspaceDirectory;
  /** As for `createWorkspaceTools`. */
  readonly maxBytes?: number;
}

/**
 * Returns what a call of `write_file` or `patch_file` would change, as a diff for the card on which a person decides; `undefined` for another
 * call. The file is read for a write that replaces it; the call fails if the file is another one by then.
 *
 *     const [call] = session.getMessages().flatMap(toolParts).filter(({ status }) => status === 'awaiting-approval');
 *     const details = call && (await previewChange(call));
 */
export async function previewChange(call: ToolPart, options: WorkspaceOptions = {}): Promise<ToolDetails | undefined> {
  named(options, { directory: true, maxBytes: true }, 'previewChange');
  const request = requestOf(call);
  if (request === undefined) return undefined;
  const { path } = request;
  if (request.type === 'patch') return diffOf(path, request.edits);
  const current = request.hash === undefined ? undefined : await readFile(toWorkspace(options), path);
  return { type: 'diff', filePath: path, oldContent: current?.text ?? '', newContent: request.content };
}
