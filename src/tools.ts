export { askTool, type AskToolOptions } from './tools/ask.ts';
export { arithmeticTool } from './tools/arithmetic.ts';
export { clockTool, type ClockToolOptions } from './tools/clock.ts';
export { evaluate, ExpressionError, type ExpressionOptions } from './tools/expression.ts';
export { fetchTool, type FetchMethod, type FetchToolOptions } from './tools/fetch.ts';
export { notesTools, type NotesToolsOptions } from './tools/notes.ts';
export {
  createMemoryNotes,
  createNotesStore,
  type Note,
  type NotesStore,
  type NotesStoreOptions,
} from './tools/notes-store.ts';
export { memoryTools, type MemoryToolsOptions } from './tools/memory.ts';
export { recallTool, type RecallToolOptions } from './tools/recall.ts';
export { sandboxTool, type SandboxToolOptions } from './tools/sandbox.ts';
export { createPresenter, type Present, type PresentableOutput, type Presenter } from './core/tools/present.ts';
export {
  isToolExecution,
  mergeToolMessages,
  type MergeOptions,
  type ToolExecution,
  type ToolResult,
  type ToolUse,
} from './core/tools/merge.ts';
export { readClaudeCode } from './tools/claude-code.ts';
export { readCodex } from './tools/codex.ts';
export { readGeminiCli } from './tools/gemini-cli.ts';
