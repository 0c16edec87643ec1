// The parts of a chat, for a page with React: each by itself, or all together as `Chat`. The style sheet is `brooklet/ui/style.css`.
export { Chat } from './Chat.tsx';
export { PartsProvider } from './PartsProvider.tsx';
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
export { CopyButton } from './base/CopyButton.tsx';
export { ErrorBoundary } from './base/ErrorBoundary.tsx';
export { isComposing } from './base/isComposing.ts';
export { Menu, type MenuLine, type MenuProps } from './base/Menu.tsx';
export { Segments } from './base/Segments.tsx';
export { useEscape } from './base/useEscape.ts';
export { useFocusKeeper } from './base/useFocusKeeper.ts';
export { ReviewView } from './review/ReviewView.tsx';
export { useSay, type Say } from './notice/say.ts';
export { SessionList } from './sessions/SessionList.tsx';
export { labelsOf } from './sessions/labelsOf.ts';
export { ModelPicker } from './model/ModelPicker.tsx';
export { KeyField } from './key/KeyField.tsx';
export { UnlockKeys } from './key/UnlockKeys.tsx';
export { useHasPasskeys } from './key/useHasPasskeys.ts';
export { ContextMeter } from './context/ContextMeter.tsx';
export { english } from './labels/all.ts';
export type { LabelOverrides, Labels } from './labels/english.ts';
export { chinese } from './labels/chinese.ts';
export type { ApprovalProps, DiffProps, Remember, SchemaFormProps, ToolCallProps } from './call/props.ts';
export type { BeforeDecision, ThreadProps, ThreadRows } from './thread/props.ts';
export { englishReview, type ReviewLabels } from './review/labels/english.ts';
export { chineseReview } from './review/labels/chinese.ts';
export type { ReviewLabelOverrides } from './review/reviewTexts.ts';
export type {
  AnnotationChange,
  ComparedLog,
  ReviewLog,
  ReviewViewName,
  ReviewViewProps,
  ShownSession,
} from './review/props.ts';
export type {
  AnnouncerProps,
  ChatProps,
  CodeBlockProps,
  Components,
  ComposerDraft,
  ComposerProps,
  ComposerSlot,
  MarkdownProps,
  PartsProviderProps,
  QueueChipsProps,
  Remedy,
  RunNoticeProps,
  VersionsProps,
} from './props.ts';
export type { SessionAction, SessionListProps, SessionListSource, UndoableChange } from './sessions/props.ts';
export type { ModelPickerProps } from './model/props.ts';
export type { KeyFieldProps, ReadyKey, UnlockKeysProps } from './key/props.ts';
export type { ContextMeterProps } from './context/props.ts';
