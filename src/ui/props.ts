import type { ReactNode, Ref } from 'react';
import type { Agent, AgentSession, ApproveOptions, DecisionOptions, RejectOptions } from '../index.ts';
import type { Json, JsonObject, MediaPart, Message, Part, QueuedMessage, ToolPart } from '../core/model/index.ts';
import type { UseChatOptions, UseChatResult } from '../react/index.ts';
import type { LabelOverrides, Labels } from './labels/english.ts';

/** How long a decision applies: to this call, to the session, or to all sessions of the agent. */
export type Remember = NonNullable<DecisionOptions['remember']>;

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
  /** Returns a formula as elements; `undefined` shows it as it was written. Without this function `$` has no meaning. */
  readonly math?: ((tex: string, isDisplay: boolean) => ReactNode) | undefined;
  /** Returns what is shown in the place of a block of code, a diagram for example; `undefined` for a usual block. */
  readonly renderCode?: ((code: Pick<CodeBlockProps, 'language' | 'text' | 'isGrowing'>) => ReactNode) | undefined;
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
  /** Buttons beside those of the block. */
  readonly actions?: ReactNode;
  readonly labels?: Partial<Labels['code']> | undefined;
  readonly className?: string | undefined;
}

/** Props of `Thread`. */
export interface ThreadProps {
  readonly chat: UseChatResult;
  /** Returns what is shown in the place of a part of a message; `undefined` for the usual. */
  readonly renderPart?: ((part: Part, message: Message) => ReactNode) | undefined;
  /** Returns the buttons below a message; `usual` are those that it has without this function. */
  readonly renderVerbs?: ((message: Message, usual: ReactNode) => ReactNode) | undefined;
  /** Shown while there is no message. */
  readonly empty?: ReactNode;
  /** Messages above which only the last ones are in the page; a button shows earlier ones. Default 120. */
  readonly virtualAbove?: number | undefined;
  /** Shown after the last message: how the run ended, for example. */
  readonly children?: ReactNode;
  readonly labels?: Partial<Labels['thread']> | undefined;
  readonly className?: string | undefined;
}

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
  /** Whether nothing can be sent. */
  readonly isClosed?: boolean | undefined;
  /** The page's own controls: before the field, before the send button, and below the field. */
  readonly slots?: { readonly start?: ReactNode; readonly end?: ReactNode; readonly note?: ReactNode } | undefined;
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

/** Props of `ToolCall`. */
export interface ToolCallProps {
  readonly call: ToolPart;
  /** Default: the name of the tool, as `labels.title` writes it. */
  readonly title?: string | undefined;
  /** Returns the result as the page shows it; `undefined` for the usual. */
  readonly present?: ((call: ToolPart) => ReactNode) | undefined;
  /** Whether the card is open before the person has chosen. Default: by the state of the call. */
  readonly isOpen?: boolean | undefined;
  /** Shown in the place of the record of the call: the form of a decision. */
  readonly children?: ReactNode;
  readonly labels?: Partial<Labels['tool']> | undefined;
  readonly className?: string | undefined;
}

/** Props of `Approval`. */
export interface ApprovalProps {
  readonly call: ToolPart;
  readonly title?: string | undefined;
  /** A promise keeps the buttons from deciding twice; a rejection is shown in the form. */
  readonly onApprove: (options: Pick<ApproveOptions, 'input' | 'remember'>) => unknown;
  readonly onReject: (options: Pick<RejectOptions, 'reason' | 'remember'>) => unknown;
  /** How the input is edited: in fields (as JSON where no fields fit), as JSON, or not. Default `form`. */
  readonly edit?: 'form' | 'json' | false | undefined;
  /** JSON Schema of the input. Default: read from the input itself. */
  readonly schema?: JsonObject | undefined;
  /** For how long a decision may apply. Default: all three; one alone is not a choice. */
  readonly remember?: readonly Remember[] | undefined;
  readonly labels?: Partial<Labels['approval']> | undefined;
  readonly className?: string | undefined;
}

/** Props of `SchemaForm`. */
export interface SchemaFormProps {
  /** JSON Schema of the value. One that no fields can show is filled in as JSON. */
  readonly schema: JsonObject;
  /** The value before the person has changed it. */
  readonly value?: Json | undefined;
  /** A promise keeps the form from submitting twice; a rejection is shown in the form. */
  readonly onSubmit: (value: Json) => unknown;
  /** Called with the reason, which may be empty. Without this function the form cannot be declined. */
  readonly onDecline?: ((reason: string) => unknown) | undefined;
  /** Shows a button that leaves the form. */
  readonly onBack?: (() => void) | undefined;
  /** Whether any schema is filled in as JSON. */
  readonly isJSON?: boolean | undefined;
  /** Default: `labels.submit`. */
  readonly submitLabel?: string | undefined;
  readonly labels?: Partial<Labels['form']> | undefined;
  readonly className?: string | undefined;
}

/** Props of `Diff`. */
export interface DiffProps {
  readonly before: string;
  readonly after: string;
  /** Of the file. */
  readonly name?: string | undefined;
  readonly labels?: Partial<Labels['diff']> | undefined;
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
  /** Props of the message field, but for its draft: `accept`, `maxBytes`, `tokensOf`, `slots`, … */
  readonly composer?: Omit<ComposerProps, 'chat' | 'labels' | 'isClosed'> | undefined;
  readonly onSettings?: RunNoticeProps['onSettings'];
  readonly onNewChat?: RunNoticeProps['onNewChat'];
  readonly billingURL?: string | undefined;
  readonly className?: string | undefined;
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
