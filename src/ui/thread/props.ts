import type { ReactNode, RefObject } from 'react';
import type { AnswerOptions } from '../../index.ts';
import type { Message, Part, ToolPart } from '../../core/model/index.ts';
import type { UseChatResult } from '../../react/index.ts';
import type { Labels } from '../labels/english.ts';

/** Props of `Thread`. */
export interface ThreadProps {
  readonly chat: UseChatResult;
  /** Returns what is shown in the place of a part of a message; `undefined` for the usual. */
  readonly renderPart?: ((part: Part, message: Message) => ReactNode) | undefined;
  /** Returns the buttons below a message; `usual` are those that it has without this function. */
  readonly renderVerbs?: ((message: Message, usual: ReactNode) => ReactNode) | undefined;
  /**
   * Returns what is shown in the place of a row, which is a message, or the steps of an answer that begin with the message; `usual` is what it shows
   * without this function.
   */
  readonly renderRow?: ((message: Message, usual: ReactNode) => ReactNode) | undefined;
  /** Whether an ended call stays in view. Default: none but a picture is; three and more are folded into one row. */
  readonly keepInView?: ((call: ToolPart) => boolean) | undefined;
  /** Shown while there is no message. */
  readonly empty?: ReactNode;
  /** Messages above which only the last ones are in the page; a button shows earlier ones. Default 120. */
  readonly virtualAbove?: number | undefined;
  /** Whether everything is shown: all messages, and nothing of them folded. Default: only while the page is printed. */
  readonly isWhole?: boolean | undefined;
  /** Shows the rows of a thread with more than `virtualAbove` of them, by a virtualizer of the page. All rows can be reached then, without a button. */
  readonly renderRows?: ((rows: ThreadRows) => ReactNode) | undefined;
  /** Shown while the agent works. Default: three dots. */
  readonly working?: ReactNode;
  /**
   * Called before a decision of a person is stored. Returns further options of it; a rejection is shown in the form, and the call waits on: where the
   * browser has to ask for a permission first, for example.
   */
  readonly beforeDecision?: BeforeDecision | undefined;
  /** Opens the session of a call whose tool is an agent (`agentTool`): a button below the call calls it. Without it there is no button. */
  readonly onOpenSession?: ((sessionId: string) => void) | undefined;
  /** Shown after the last message: how the run ended, for example. */
  readonly children?: ReactNode;
  readonly labels?: Partial<Labels['thread']> | undefined;
  readonly className?: string | undefined;
}

/** See `ThreadProps.beforeDecision`. */
export type BeforeDecision = (
  call: ToolPart,
  verdict: 'approved' | 'rejected' | 'answered',
) => Pick<AnswerOptions, 'userName' | 'drive'> | Promise<Pick<AnswerOptions, 'userName' | 'drive'>>;

/** The rows of a thread, for a virtualizer. */
export interface ThreadRows {
  /** One for each row, oldest first. */
  readonly keys: readonly string[];
  readonly renderRow: (index: number) => ReactNode;
  /** The element that scrolls: it is mounted when `renderRows` is called, also for the layout effects of what it returns. */
  readonly scroller: RefObject<HTMLElement | null>;
  /** To be called after the virtualizer has changed the position of the scroller: the person has not scrolled. */
  readonly onCorrected: () => void;
}
