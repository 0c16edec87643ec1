// The parts of a chat, for a page with React: each by itself, or all together as `Chat`. The style sheet is `brooklet/ui/style.css`.
export { Chat } from './Chat.tsx';
export { Thread } from './thread/Thread.tsx';
export { useStickToEnd, type StickToEnd } from './thread/useStickToEnd.ts';
export { Versions } from './thread/Versions.tsx';
export { Markdown } from './markdown/Markdown.tsx';
export { CodeBlock } from './markdown/CodeBlock.tsx';
export { Composer } from './composer/Composer.tsx';
export { QueueChips } from './composer/QueueChips.tsx';
export { ToolCall } from './call/ToolCall.tsx';
export { Approval } from './call/Approval.tsx';
export { SchemaForm } from './call/SchemaForm.tsx';
export { Diff } from './call/Diff.tsx';
export { RunNotice } from './notice/RunNotice.tsx';
export { Announcer } from './notice/Announcer.tsx';
export { useSay, type Say } from './notice/say.ts';
export { english, type LabelOverrides, type Labels } from './labels/english.ts';
export { chinese } from './labels/chinese.ts';
export type {
  AnnouncerProps,
  ApprovalProps,
  ChatProps,
  CodeBlockProps,
  Components,
  ComposerProps,
  DiffProps,
  MarkdownProps,
  QueueChipsProps,
  Remedy,
  Remember,
  RunNoticeProps,
  SchemaFormProps,
  ThreadProps,
  ToolCallProps,
  VersionsProps,
} from './props.ts';
