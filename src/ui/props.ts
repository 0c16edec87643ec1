import type { ReactNode, Ref } from 'react';
import type { Agent, AgentSession } from '../index.ts';
import type { AgentError, MediaPart, Message, QueuedMessage } from '../core/model/index.ts';
import type { UseChatOptions, UseChatResult } from '../react/index.ts';
import type { LabelOverrides, Labels } from './labels/english.ts';
import type { ApprovalProps, DiffProps, SchemaFormProps, ToolCallProps } from './call/props.ts';
import type { ThreadProps } from './thread/props.ts';

/** Props of `Markdown`. */
export interface MarkdownProps {
  readonly text: string;
  /** Whether the end of the text has not arrived: what it has left open is closed. */
  readonly isUnfinished?: boolean | undefined;
  /** Called at a click on a link. With `event.preventDefault()` the page opens the address itself. */
  readonly onLink?: ((url: string, event: { preventDefault(): void }) => void) | undefined;
  /** Whether a picture of another host is loaded without a click. Default: none is. */
  readonly allowImage?: ((url: string) => boolean) | undefined;
  /** Returns the lines of a complete block of code, coloured; `undefined` for a language that it does not know. */
  readonly highlight?: ((language: string, text: string) => ReactNode) | undefined;
  /**
   * Returns a formula as elements; `undefined` shows it as it was written. Without this function `$` has no meaning. `source` is the formula with its
   * delimiters: what a person wants to copy.
   */
  readonly math?: ((tex: string, isDisplay: boolean, source: string) => ReactNode) | undefined;
  /** Returns what is shown in the place of a block of code, a diagram for example; `undefined` for a usual block. */
  readonly renderCode?: ((code: Pick<CodeBlockProps, 'language' | 'text' | 'isGrowing'>) => ReactNode) | undefined;
  /** Whether nothing can be opened or loaded: links and pictures of other hosts are shown as text with their address. */
  readonly isInert?: boolean | undefined;
  readonly labels?: Partial<Labels['markdown']> | undefined;
  readonly className?: string | undefined;
}

/** Props of `CodeBlock`. */
export interface CodeBlockProps {
  /** As in the first line of the block; empty where none is stated. */
  readonly language: string;
  readonly text: string;
  /** Whether the block still streams: it is highlighted and collapsed when it is complete. */
  readonly isGrowing?: boolean | undefined;
  readonly highlight?: MarkdownProps['highlight'];
  /** Whether all lines are shown. Default: a long block is collapsed. */
  readonly isWhole?: boolean | undefined;
  /** Buttons beside those of the block. */
  readonly actions?: ReactNode;
  readonly labels?: Partial<Labels['code']> | undefined;
  readonly className?: string | undefined;
}

/** What a control in a slot of the message field can add to the message. */
export interface ComposerDraft {
  /** Resolves when the files are read. What cannot be attached is said in the field. */
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  /** Adds a paragraph. */
  readonly addText: (text: string) => void;
}

/** The page's own control in the message field. */
export type ComposerSlot = ReactNode | ((draft: ComposerDraft) => ReactNode);

/** Props of `Composer`. */
export interface ComposerProps {
  readonly chat: Pick<UseChatResult, 'status' | 'send' | 'stop'>;
  /** The draft, where the page keeps it. Needs `onValue`. */
  readonly value?: string | undefined;
  readonly onValue?: ((value: string) => void) | undefined;
  /** Kinds of files, as `accept` of an `<input type="file">`. Default: pictures, PDF and text. Empty: no files. */
  readonly accept?: string | undefined;
  /** Bytes of one file. Default 5,000,000. */
  readonly maxBytes?: number | undefined;
  /** Files of one message. Default 8. */
  readonly maxFiles?: number | undefined;
  /** Returns the tokens of a file, which are shown beside its name. */
  readonly tokensOf?: ((file: MediaPart) => number) | undefined;
  /** Tokens that the model takes. Above them, by `tokensOf`, a text file can be cut to its first part, and any file be removed. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** Characters of a pasted text above which it is attached as a file, which can be made a text again. Default: none is. */
  readonly pasteAsFile?: number | undefined;
  /** Whether nothing can be sent. */
  readonly isClosed?: boolean | undefined;
  /** The page's own controls: before the field, before the send button, and below the field. */
  readonly slots?:
    | { readonly start?: ComposerSlot; readonly end?: ComposerSlot; readonly note?: ReactNode }
    | undefined;
  readonly fieldRef?: Ref<HTMLTextAreaElement> | undefined;
  readonly labels?: Partial<Labels['composer']> | undefined;
  readonly className?: string | undefined;
}

/** Props of `QueueChips`. */
export interface QueueChipsProps {
  readonly queue: readonly QueuedMessage[];
  /** Whether a run is under way: without one a message waits until the next run, and can be sent now. */
  readonly isBusy: boolean;
  readonly onRemove: (messageId: string) => void;
  readonly onSendNow: (message: Message) => void;
  readonly labels?: Partial<Labels['queue']> | undefined;
  readonly className?: string | undefined;
}

/** What a person can do about a run that has not completed. */
export type Remedy = 'settings' | 'reload' | 'topUp' | 'newChat' | 'resume' | 'retry';

/** Props of `RunNotice`. */
export interface RunNoticeProps {
  readonly chat: UseChatResult;
  /** Opens the settings of the page. Without this function nothing offers them. */
  readonly onSettings?: (() => void) | undefined;
  /** Begins another chat. Without this function nothing offers one. */
  readonly onNewChat?: (() => void) | undefined;
  /** Where the account of the service is topped up. */
  readonly billingURL?: string | undefined;
  /** Returns the remedies to offer, the one that helps first; `usual` are those that the notice offers by itself. */
  readonly remedies?: ((usual: readonly Remedy[], error: UseChatResult['error']) => readonly Remedy[]) | undefined;
  /** Returns further buttons, after the usual ones. */
  readonly renderButtons?: ((error: AgentError | undefined) => ReactNode) | undefined;
  readonly labels?: Partial<Labels['notice']> | undefined;
  readonly className?: string | undefined;
}

/** Props of `Versions`. */
export interface VersionsProps {
  readonly count: number;
  /** Of the version that is shown, from 0. */
  readonly index: number;
  readonly onSelect: (index: number) => void;
  /** Whether no other version can be shown now. */
  readonly isDisabled?: boolean | undefined;
  /** The button that gets the focus when this part appears: the row in which it was pressed has been replaced. */
  readonly focus?: 'back' | 'on' | undefined;
  readonly labels?: Partial<Labels['versions']> | undefined;
  readonly className?: string | undefined;
}

/** Props of `Announcer`. */
export interface AnnouncerProps {
  readonly session: AgentSession | undefined;
  readonly labels?: Partial<Labels['announcer']> | undefined;
  readonly children?: ReactNode;
}

/** Props of `Chat`. */
export interface ChatProps extends UseChatOptions {
  /** Default: the agent of the `AgentProvider` around it. */
  readonly agent?: Agent | undefined;
  /** Texts in the place of the English ones: `chinese`, or some of them. */
  readonly labels?: LabelOverrides | undefined;
  /** Parts in the place of those of this package. */
  readonly components?: Components | undefined;
  /** Shown while there is no message. */
  readonly empty?: ReactNode;
  readonly renderPart?: ThreadProps['renderPart'];
  readonly renderVerbs?: ThreadProps['renderVerbs'];
  readonly onOpenSession?: ThreadProps['onOpenSession'];
  /** Props of the message field, but for its draft: `accept`, `maxBytes`, `tokensOf`, `slots`, … */
  readonly composer?: Omit<ComposerProps, 'chat' | 'labels' | 'isClosed'> | undefined;
  readonly onSettings?: RunNoticeProps['onSettings'];
  readonly onNewChat?: RunNoticeProps['onNewChat'];
  readonly billingURL?: string | undefined;
  readonly className?: string | undefined;
}

/** Props of `PartsProvider`. */
export interface PartsProviderProps {
  readonly labels?: LabelOverrides | undefined;
  readonly components?: Components | undefined;
  readonly children?: ReactNode;
}

/** Components by the name of the part that each replaces. A component gets the props of that part. */
export interface Components {
  readonly Markdown?: ((props: MarkdownProps) => ReactNode) | undefined;
  readonly CodeBlock?: ((props: CodeBlockProps) => ReactNode) | undefined;
  readonly Thread?: ((props: ThreadProps) => ReactNode) | undefined;
  readonly Composer?: ((props: ComposerProps) => ReactNode) | undefined;
  readonly QueueChips?: ((props: QueueChipsProps) => ReactNode) | undefined;
  readonly ToolCall?: ((props: ToolCallProps) => ReactNode) | undefined;
  readonly Approval?: ((props: ApprovalProps) => ReactNode) | undefined;
  readonly SchemaForm?: ((props: SchemaFormProps) => ReactNode) | undefined;
  readonly Diff?: ((props: DiffProps) => ReactNode) | undefined;
  readonly RunNotice?: ((props: RunNoticeProps) => ReactNode) | undefined;
  readonly Versions?: ((props: VersionsProps) => ReactNode) | undefined;
}
