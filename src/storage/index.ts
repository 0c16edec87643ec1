// In the order in which to read it.
export { createIndexedDBStore, type IndexedDBStoreOptions } from './indexeddb-store.ts';
export { createMemoryStore } from './memory.ts';
export { createSessionLocks } from './lock.ts';
export { eraseEverything, type ErasedReport, type EraseOptions, type LeftBehind } from './erase/erase-everything.ts';
export { estimateSpace, keepStorage, type Space } from './space.ts';
export {
  exportAll,
  exportSession,
  type ExportHeader,
  type ExportOptions,
  type ExportSessionOptions,
} from './files/export.ts';
export { maskLog } from './files/mask/mask-log.ts';
export { type ExportMask, type MaskNotice } from './files/mask/options.ts';
export { readExport, type ExportedSession, type ReadExport, type ReadExportOptions } from './files/read-export.ts';
export { importSessions, type ImportedSession, type ImportOptions, type ImportReport } from './files/import.ts';
export { importMessages, type ImportedMessages, type ImportMessagesOptions } from './files/import-messages.ts';
export {
  importHistory,
  type ConversationResult,
  type HistoryReport,
  type ImportedConversation,
  type ImportHistoryOptions,
} from './files/history/import-history.ts';
export { recognizeFile } from './files/history/recognize-file.ts';
export { type HistoryFormat } from '../history/formats.ts';
export { type LeftOut, type LeftOutReason } from '../history/tally.ts';
export { type TakenParts } from '../history/taken.ts';
export { type ImportProblem } from './files/parse.ts';
export { type ImportLimits } from './files/limits.ts';
export { type ImportProgress } from './files/watch.ts';
export { toMarkdown, type MarkdownOptions, type MarkdownWords } from './files/markdown.ts';
