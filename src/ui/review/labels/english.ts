import type { CallStatus, DecidedBy, RunOutcome } from '../../../core/model/index.ts';
import type { EventKind, ReviewCompaction, ReviewError } from '../../../review/index.ts';
import type { LabelOverrides } from '../../labels/english.ts';
import { some, viewsEnglish } from './views-english.ts';

const texts = {
  /** BCP 47 tags: for numbers, and for dates and times. */
  locale: { numbers: 'en', dates: 'en-GB' },
  board: {
    readOnly: 'Review, read-only',
    live: 'Live',
    untitled: 'Untitled',
    search: 'Search ( / )',
    searchIn: 'Search in this session',
    /** `isAll`: whether these are all that there are. */
    found: (count: number, isAll: boolean): string =>
      count === 0 ? 'Not found' : `${isAll ? count : `More than ${count}`} found`,
    copyMoment: 'Copy this moment as Markdown',
    show: (seq: number): string => `Show event ${seq}`,
    event: (seq: number): string => `Event ${seq}`,
    more: (count: number, all: number): string => `Show ${count} more of ${all}`,
    notShown: (count: number): string => `${count} more changes are not shown.`,
    broken: 'This moment cannot be shown.',
    leftOut: (count: string): string => `… ${count} more characters are in the log.`,
  },
  keys: {
    title: 'Keys',
    button: 'Keys (?)',
    close: 'Close',
    help: [
      ['← →', 'previous, next event'],
      ['Shift ← →', 'previous, next step'],
      ['Home, End', 'start, end'],
      ['Space', 'play, pause'],
      ['/', 'search; Enter goes to the first match'],
      ['1, 2 …', 'the views, in their order'],
      ['O, U', 'open the session of the last call; back to the session above'],
      ['N', 'write a note on this moment'],
      ['M', 'mark this moment for a comparison'],
      ['?', 'this list'],
    ] as readonly (readonly [keys: string, does: string])[],
  },
  time: {
    label: 'Time',
    move: 'Move',
    previousStep: 'Previous step',
    previousEvent: 'Previous event',
    play: 'Play',
    pause: 'Pause',
    nextEvent: 'Next event',
    nextStep: 'Next step',
    speed: 'Speed',
    scale: 'Width of the timeline',
    scales: { events: 'Events', time: 'Time' },
    position: 'Position',
    beforeFirst: 'Before the first event',
    counted: (seq: number, last: number): string => `Event ${seq} of ${last}`,
    positionText: (seq: number, last: number, event?: string): string =>
      `Event ${seq} of ${last}: ${event ?? 'before the first event'}`,
    runs: 'Runs',
    run: (number: number): string => `Run ${number}`,
    compaction: (number: number): string => `Compaction ${number}`,
    steps: 'Steps',
    step: (number: number): string => `Step ${number}`,
    failedStep: (number: number): string => `Step ${number}, failed`,
    unended: 'open',
    /** Of a step or a call that came with an imported file or a fork. */
    copied: 'from another log',
  },
  outcomes: {
    completed: 'completed',
    cancelled: 'cancelled',
    limit: 'limit',
    failed: 'failed',
    interrupted: 'interrupted',
  },
  statuses: {
    streaming: 'streaming',
    requested: 'requested',
    invalid: 'invalid',
    'awaiting-approval': 'awaiting-approval',
    approved: 'approved',
    edited: 'edited',
    rejected: 'rejected',
    expired: 'expired',
    started: 'started',
    succeeded: 'succeeded',
    failed: 'failed',
    'timed-out': 'timed-out',
    cancelled: 'cancelled',
    uncertain: 'uncertain',
  },
  deciders: { user: 'user', policy: 'policy', rule: 'rule', timeout: 'timeout' },
  kinds: {
    session: 'session',
    message: 'message',
    run: 'run',
    request: 'request',
    answer: 'answer',
    call: 'call',
    decision: 'decision',
    context: 'context',
  },
  views: {
    label: 'Views',
    moment: 'Moment',
    steps: 'Steps',
    calls: 'Tool calls',
    usage: 'Tokens',
    context: 'Compactions',
    errors: 'Errors',
    notes: 'Notes',
    compare: 'Compare',
  },
  panes: { label: 'What is shown', seen: 'Person', request: 'Model', event: 'Log' },
  seen: {
    title: 'What the person saw',
    earlier: (count: number): string => `Show earlier messages (${count})`,
    nothing: 'Nothing yet.',
    queued: (text: string): string => `In the queue: ${text}`,
  },
  sent: {
    title: 'What the model was sent',
    inStep: (number: number): string => `What the model was sent in step ${number}`,
    copy: 'Copy the request as JSON',
    none: 'No request had been sent.',
    notRecorded: 'This log does not record requests: it is of version 1.',
    copiedStep: 'This answer came with an imported file or a fork: its request is not in this log.',
    as: 'Request as',
    ways: { messages: 'Messages', body: 'Bytes' },
    asBefore: (count: number): string => `${some(count, 'message')} as in the step before`,
    noMore: (count: number): string => `${some(count, 'message')} sent no more`,
    messages: 'Messages',
    fresh: (count: number): string => `New in this request (${count})`,
    noMessage: 'No message.',
    noText: 'no text',
    changed: (names: string): string => `Changed: ${names}.`,
    toolCount: (count: number): string => some(count, 'tool'),
    tools: 'Tools',
    parameters: 'Parameters',
    answer: 'The answer',
    nothing: 'Nothing.',
    zones: {
      immutable: 'Instructions and tools',
      compressed: 'Summary',
      incremental: 'Conversation',
      scratch: 'Scratch',
    },
    estimated: 'estimated tokens',
  },
  logged: {
    title: 'What the log has',
    copy: 'Copy the event as JSON',
    events: 'Events',
    allKinds: 'all kinds',
    around: 'Events around the position',
    event: 'The event',
    attempt: (number: number): string => `attempt ${number}`,
    edited: 'edited',
    by: (name: string): string => `by ${name}`,
    shortened: (before: number, after: number): string => `${before} to ${after} tokens`,
  },
};

/** The texts of a `ReviewView`, in groups. */
export type ReviewLabels = typeof texts &
  typeof viewsEnglish & {
    // Each word of a log has a text: tsc reports one that is missing.
    readonly outcomes: Readonly<Record<RunOutcome, string>>;
    readonly statuses: Readonly<Record<CallStatus, string>>;
    readonly deciders: Readonly<Record<DecidedBy, string>>;
    readonly kinds: Readonly<Record<EventKind, string>>;
    readonly context: { readonly causes: Readonly<Record<ReviewCompaction['cause'], string>> };
    readonly errors: { readonly of: Readonly<Record<ReviewError['of'], string>> };
    /** Texts of the parts that show what the person saw: `Markdown`, `ToolCall`, `Approval` … Missing ones are English. */
    readonly parts: LabelOverrides;
  };

/** The English texts of a `ReviewView`. `chineseReview` has the same texts in Chinese. */
export const englishReview: ReviewLabels = { ...texts, ...viewsEnglish, parts: {} };
