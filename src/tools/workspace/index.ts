export { createWorkspaceTools, type WorkspaceToolsOptions } from './create-workspace-tools.ts';
export { openWorkspace, type WorkspaceDirectory } from './open-workspace.ts';
export { previewChange, type WorkspaceOptions } from './preview-change.ts';
export { undoChange, type UndoneChange, type UndoOptions } from './undo-change.ts';
