import type { ReactNode } from 'react';
import type { LLMRequest, SessionEvent } from '../../core/model/index.ts';
import type { Annotation, CostOf, OpenSession, Review } from '../../review/index.ts';
import type { Components } from '../props.ts';
import type { ReviewLabelOverrides } from './reviewTexts.ts';

/** What is reviewed: the events of a log, or a review that the page has. */
export type ReviewLog = Review | readonly SessionEvent[];

/** A view of a review: one moment, a list, or a comparison. */
export type ReviewViewName = 'moment' | 'steps' | 'calls' | 'usage' | 'context' | 'errors' | 'notes' | 'compare';

/** A change of the notes on a log: a new note on the event with this `seq`, or a note that is removed. */
export type AnnotationChange =
  | { readonly type: 'add'; readonly seq: number; readonly text: string }
  | { readonly type: 'remove'; readonly id: string };

/** Changes the notes of the session that is shown. */
export type OnAnnotate = (change: AnnotationChange) => unknown;

/** Another log, for a comparison. */
export interface ComparedLog {
  readonly title: string;
  readonly log: ReviewLog;
}

/** The session of a tree that a `ReviewView` shows. */
export interface ShownSession {
  readonly sessionId: string;
  /** Missing while the session is read, and where it is not there. */
  readonly review?: Review | undefined;
}

/** Props of `ReviewView`. */
export interface ReviewViewProps {
  /** Always the same array for the same log. A longer array continues it: the position stays, or stays at the end. */
  readonly log: ReviewLog;
  /** `seq` of the event whose moment is shown. Without it the review begins at its end. The person can move on; another value moves there. */
  readonly at?: number | undefined;
  /** Called with the `seq` of the position when the person has moved it. Not called while the review plays. */
  readonly onAt?: ((seq: number) => void) | undefined;
  /** The views that are offered, in this order. Default: all. */
  readonly views?: readonly ReviewViewName[] | undefined;
  /** Notes on events of `log`. Those of other sessions of the tree come with them (`ReviewedSession.annotations`). */
  readonly annotations?: readonly Annotation[] | undefined;
  /** Called when the person adds or removes a note on a session; a promise that rejects is shown. Without this function notes are only read. */
  readonly onAnnotate?: ((change: AnnotationChange, sessionId: string) => unknown) | undefined;
  /**
   * Opens the sessions of the tree to which the session belongs: `createStoreOpener(store)` or `createFileOpener(sessions)` of `brooklet/review`,
   * always the same function.
   * A call whose tool is an agent then has a button that opens its session in the place of this one, and a path leads back. Nothing is read before.
   */
  readonly openSession?: OpenSession | undefined;
  /** Called with the session that is shown when the person has opened one or gone back, and when the log of one below has grown. */
  readonly onSession?: ((shown: ShownSession) => void) | undefined;
  /** Whether the session runs at the moment. */
  readonly isLive?: boolean | undefined;
  /** Where keys work: in the whole page, or with the focus inside. Default `inside`. */
  readonly keys?: 'page' | 'inside' | undefined;
  /** Whether pictures that are part of a message are shown. Default `true`. Pictures at an address, and links, are text in any case. */
  readonly showsPictures?: boolean | undefined;
  /** Returns the cost of tokens in US dollars, or `undefined` for an unknown price. Without this function no cost is shown. */
  readonly costOf?: CostOf | undefined;
  /** Returns another form of a request, such as the bytes that were sent. `model`: the one that answered. */
  readonly renderRequest?: ((request: LLMRequest, model: string) => ReactNode) | undefined;
  /** Returns the page’s choice of another log, which `compare` gets. Without this function only moments are compared. */
  readonly renderCompare?: ((compare: (other: Promise<ComparedLog>) => void) => ReactNode) | undefined;
  /** The page’s own controls: before the title, after the search, and below the title. */
  readonly slots?: { readonly start?: ReactNode; readonly end?: ReactNode; readonly note?: ReactNode } | undefined;
  /** Texts in the place of the English ones: `chineseReview`, or some of them. */
  readonly labels?: ReviewLabelOverrides | undefined;
  /** Parts in the place of those that show what the person saw: `Markdown`, `ToolCall`, `Approval`, … */
  readonly components?: Components | undefined;
  readonly className?: string | undefined;
}

/** The props that reach the session that is shown. `ReviewView` applies the others around it. */
export type ShownProps = Omit<ReviewViewProps, 'log' | 'at' | 'onAt' | 'labels' | 'components' | 'showsPictures'>;
