import type { RunOutcome } from '../../../core/model/event.ts';
import type { CallStatus, DecidedBy } from '../../../core/model/message.ts';
import type { EventKind } from '../../kind.ts';

const some = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Every sentence of the viewer, in English. */
export const en = {
  /** For numbers, dates, and the attribute `lang`. */
  locale: 'en-GB',

  opening: 'Opening the log…',
  unreadable: 'The log of this file cannot be read',
  problem: (line: number, field: string, reason: string): string =>
    `Line ${line} of the log: ${field || 'the line'} ${reason}.`,
  damaged: (problem: string): string => `Shown up to a damaged place. ${problem}`,
  readOnly: 'Review, read-only',
  more: (count: string): string => `… ${count} more characters are in the file.`,

  masked: (left: readonly string[]): string => `Left out of this file: ${left.join(', ') || 'nothing'}.`,
  maskedParts: {
    attachments: 'attachments',
    toolOutputs: 'outputs of tools',
    instructions: 'instructions',
    patterns: (count: number): string => `what matches ${count === 1 ? 'a pattern' : `${count} patterns`}`,
  },

  time: 'Time',
  move: 'Move',
  previousStep: 'Previous step',
  previousEvent: 'Previous event',
  play: 'Play',
  pause: 'Pause',
  nextEvent: 'Next event',
  nextStep: 'Next step',
  speed: 'Speed',
  position: 'Position',
  beforeFirst: 'Before the first event',
  counted: (count: string, length: string): string => `${count} of ${length} events`,
  positionText: (count: number, length: number, event: string): string => `Event ${count} of ${length}: ${event}`,

  runs: 'Runs',
  run: (number: number): string => `Run ${number}`,
  compaction: (number: number): string => `Compaction ${number}`,
  stepsOf: (run: string): string => `Steps of ${run}`,
  copied: 'From another log',
  step: (number: number): string => `Step ${number}`,
  failedStep: (number: number): string => `Step ${number}, failed`,
  open: 'open',
  outcomes: {
    completed: 'completed',
    cancelled: 'cancelled',
    limit: 'limit',
    failed: 'failed',
    interrupted: 'interrupted',
  } satisfies Record<RunOutcome, string>,

  notes: 'Notes',
  event: (seq: number): string => `Event ${seq}`,

  shown: 'What is shown',
  panes: { seen: 'Person', sent: 'Model', raw: 'Log' },
  broken: (error: string): string => `This moment cannot be shown: ${error}`,
  retry: 'Try again',

  seen: 'What the person saw',
  earlier: (count: number): string => `Show earlier messages (${count})`,
  nothing: 'Nothing yet.',
  queued: 'In the queue:',
  person: 'Person',
  agent: 'Agent',
  interrupted: 'Interrupted here',
  thoughts: 'Thoughts',
  source: 'Source:',
  bytes: (count: string): string => `${count} bytes`,
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
  } satisfies Record<CallStatus, string>,
  /** `status`: the decision; `by`: the name of a person, or a word of `deciders`. */
  decided: (status: string, by: string): string => `${status} by ${by}`,
  deciders: { user: 'user', policy: 'policy', rule: 'rule', timeout: 'timeout' } satisfies Record<DecidedBy, string>,

  sent: 'What the model was sent',
  sentInStep: (number: number): string => `What the model was sent in step ${number}`,
  noRequest: 'No request had been sent.',
  notRecorded: 'This log does not record requests: it is of version 1.',
  copiedStep: 'This answer came with an imported file or a fork: its request is not in this log.',
  model: 'Model',
  ended: 'Ended',
  took: 'Took',
  tokens: 'Tokens',
  tokenCounts: (input: string, output: string): string => `${input} in, ${output} out`,
  asBefore: (count: number): string => `${some(count, 'message')} as in the step before`,
  noMore: (count: number): string => `${some(count, 'message')} sent no more`,
  messages: 'Messages',
  newMessages: (count: number): string => `New in this request (${count})`,
  noMessage: 'No message.',
  changed: (names: string): string => `Changed: ${names}.`,
  tools: (count: number): string => some(count, 'tool'),
  parameters: 'Parameters',

  logged: 'What the log has',
  around: 'Events around the position',
  events: 'Events',
  allKinds: 'all kinds',
  kinds: {
    session: 'session',
    message: 'message',
    run: 'run',
    request: 'request',
    answer: 'answer',
    call: 'call',
    decision: 'decision',
    context: 'context',
  } satisfies Record<EventKind, string>,

  search: 'Search ( / )',
  searchIn: 'Search in this session',
  found: (count: number): string => (count === 0 ? 'Not found' : `${count} found`),
  foundAtLeast: (count: number): string => `At least ${count} found`,
};

/** The sentences of the viewer in one language. */
export type ViewerTexts = typeof en;
