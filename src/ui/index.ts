// The parts of a chat, for a page with React: each by itself, or all together as `Chat`. The style sheet is `brooklet/ui/style.css`.
export { Markdown } from './markdown/Markdown.tsx';
export { CodeBlock } from './markdown/CodeBlock.tsx';
export { Composer } from './composer/Composer.tsx';
export { QueueChips } from './composer/QueueChips.tsx';
export { RunNotice } from './notice/RunNotice.tsx';
export { Announcer } from './notice/Announcer.tsx';
export { useSay, type Say } from './notice/say.ts';
export { english, type Labels } from './labels/english.ts';
export { chinese } from './labels/chinese.ts';
export type { LabelOverrides } from './labels/useLabels.ts';
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
