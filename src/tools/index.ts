export { askTool, type AskToolOptions } from './ask.ts';
export { arithmeticTool } from './arithmetic.ts';
export { clockTool, type ClockToolOptions } from './clock.ts';
export { evaluate, ExpressionError, type ExpressionOptions } from './expression.ts';
export { fetchTool, type FetchMethod, type FetchToolOptions } from './fetch.ts';
export { notesTools, type NotesToolsOptions } from './notes.ts';
export {
  createMemoryNotes,
  createNotesStore,
  type Note,
  type NotesStore,
  type NotesStoreOptions,
} from './notes-store.ts';
export { memoryTools, type MemoryToolsOptions } from './memory.ts';
export { recallTool, type RecallToolOptions } from './recall.ts';
export { sandboxTool, type SandboxToolOptions } from './sandbox.ts';
export { createPresenter } from './present/presenter.ts';
export type { Present, PresentableOutput, Presentation, Presenter } from '../core/tools/tool-types.ts';
export type { FormatRejection, Rejection } from '../core/tools/rejection.ts';
export type { InputOf, InputSchema, JsonSchema, StandardSchema } from '../core/tools/schema.ts';
export type { ToolOutput } from '../core/tools/tool-options.ts';
export { isToolExecution, mergeToolMessages, type MergeOptions, type ToolExecution } from './merge.ts';
export type { ToolResult, ToolUse } from '../history/tool-messages.ts';
export { readClaudeCode } from '../history/claude-code.ts';
export { readCodex } from '../history/codex.ts';
export { readGeminiCli } from '../history/gemini-cli.ts';
export { holdAfterUntrusted } from './trust/hold-after-untrusted.ts';
export { originOf, type ContentOrigin } from '../core/model/origin.ts';
export { untrustedContent, type UntrustedContent, type UntrustedContentOptions } from './trust/untrusted-content.ts';
export type { CallFilter, TrustOptions } from './trust/trust-options.ts';
