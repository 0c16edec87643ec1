import type { ReactNode } from 'react';
import type { ApproveOptions, DecisionOptions, RejectOptions } from '../../index.ts';
import type { Json, JsonObject, ToolPart } from '../../core/model/index.ts';
import type { Labels } from '../labels/english.ts';

/** How long a decision applies: to this call, to the session, or to all sessions of the agent. */
export type Remember = NonNullable<DecisionOptions['remember']>;

/** Props of `ToolCall`. */
export interface ToolCallProps {
  readonly call: ToolPart;
  /** Default: the name of the tool, as `labels.title` writes it. */
  readonly title?: string | undefined;
  /** Returns the result as the page shows it; `undefined` for the usual. */
  readonly present?: ((call: ToolPart) => ReactNode) | undefined;
  /** Shown beside the title: where the tool comes from, for example. */
  readonly tag?: ReactNode;
  /** Returns what the open card shows; `usual` is the record of the call, or the form of a decision. */
  readonly renderBody?: ((usual: ReactNode) => ReactNode) | undefined;
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
  /** Returns what the call would do, as a person reads it; `usual` is the change that its tool has prepared, else its input. */
  readonly renderPreview?: ((usual: ReactNode) => ReactNode) | undefined;
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
