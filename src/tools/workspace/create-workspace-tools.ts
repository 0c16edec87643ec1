import { named } from '../../core/model/shapes/named.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { listFilesTool } from './list-files.ts';
import type { WorkspaceDirectory } from './open-workspace.ts';
import { patchFileTool } from './patch-file.ts';
import { readFileTool } from './read-file.ts';
import { toWorkspace } from './workspace.ts';
import { writeFileTool } from './write-file.ts';

/** Options of `createWorkspaceTools`. */
export interface WorkspaceToolsOptions {
  /** The folder: of OPFS, or picked with `showDirectoryPicker({ mode: 'readwrite' })`. Default: `openWorkspace`, in OPFS. */
  readonly directory?: WorkspaceDirectory;
  /** Whether a write or a patch needs approval, by the path of its file. Default: always. */
  readonly needsApproval?: (path: string) => boolean;
  /** Maximum bytes of a file that is read or written. Default: 262,144. */
  readonly maxBytes?: number;
  /** Maximum number of characters in one result of `read_file`. Default: 20,000. */
  readonly pageSize?: number;
  /** Maximum number of files in one result of `list_files`. Default: 500. */
  readonly maxListed?: number;
}

/**
 * Four tools for the text files of one folder: `list_files`, `read_file`, `write_file` and `patch_file`. Writes and patches need approval. They
 * name the version of the file that they change, and fail when the file has changed since, by another tab for example. `previewChange` shows
 * such a call as a diff before it is approved, `undoChange` takes it back from what the log contains.
 *
 *     const agent = createAgent({ client, tools: createWorkspaceTools() });
 */
export function createWorkspaceTools(options: WorkspaceToolsOptions = {}): readonly Tool[] {
  named(
    options,
    { directory: true, needsApproval: true, maxBytes: true, pageSize: true, maxListed: true },
    'createWorkspaceTools',
  );
  const { needsApproval = () => true, pageSize = 20_000, maxListed = 500 } = options;
  const workspace = toWorkspace(options);
  return [
    listFilesTool(workspace, maxListed),
    readFileTool(workspace, pageSize),
    writeFileTool(workspace, needsApproval),
    patchFileTool(workspace, needsApproval),
  ];
}
