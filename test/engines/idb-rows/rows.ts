import type { EngineName } from '../../support/engine-profiles/index.ts';
import type { Form, Heard, Setup, State } from './page.ts';

/** `navigate`: to another page, and to a new page of the same address. `back`: to another page, and back in the history. */
type Way = 'reload' | 'navigate' | 'back';

/** What is found after leaving: a set, where it depends on the moment. */
type Outcomes = Readonly<Record<EngineName, readonly State[]>>;

/** A form of transactions and a way of leaving their page. */
export interface Row {
  readonly name: string;
  readonly setup: Setup;
  readonly way: Way;
  readonly outcomes: Outcomes;
  /** What an engine shows as well and its profile does not: Chromium calls back for some ms before it freezes a page. */
  readonly also?: Partial<Outcomes>;
  /** What a page that comes back hears of the transaction that it began in leaving. */
  readonly heard?: Readonly<Record<EngineName, Heard>>;
}

/**
 * Returns the state as the outcomes of a row name it. A transaction in flight may be any write of a stream, and what is missing of it depends on the
 * moment.
 */
export function outcomeOf({ moment }: Setup, state: State): State {
  const isInFlight = moment === 'stream' || moment === 'beforeunload';
  if (isInFlight && (state === 'gone' || state === 'head gone')) return 'torn';
  return moment === 'stream' && (state === 'old' || state === 'new') ? 'whole' : state;
}

const everywhere = (...states: readonly State[]): Outcomes => ({ chromium: states, firefox: states, webkit: states });

/** The same in Chromium and Firefox. */
const others = (states: readonly State[], webkit: readonly State[]): Outcomes => ({
  chromium: states,
  firefox: states,
  webkit,
});

type Short = readonly [setup: Setup, way: Way, outcomes: Outcomes, heard?: Row['heard'], also?: Row['also']];

const inPagehide = (form: Form, commits: boolean): Setup => ({ form, commits, moment: 'pagehide' });
const inStream = (form: Form, commits: boolean, more: Partial<Setup> = {}): Setup => ({
  form,
  commits,
  moment: 'stream',
  ...more,
});
const ways = ['reload', 'navigate', 'back'] as const;

/** Firefox loses the events of a page in the page cache. */
const hears = (webkit: Heard): Row['heard'] => ({ chromium: 'complete', firefox: 'nothing', webkit });

/** Committed in `pagehide`: WebKit drops the puts, reports them as failed, and the transaction as complete. */
const halfHeard = hears('complete, although requests have failed');

const last = (form: Form, outcomes: Outcomes, heard: Row['heard']): readonly Short[] =>
  ways.map((way): Short => [inPagehide(form, true), way, outcomes, way === 'back' ? heard : undefined]);

/** One transaction that begins in an event of leaving. */
const lastWrites: readonly Short[] = [
  ...last('delete, add', others(['new'], ['gone']), halfHeard),
  ...(['visibilitychange', 'unload'] as const).map((moment): Short => [
    { ...inPagehide('delete, add', true), moment },
    'reload',
    others(['new'], ['gone']),
  ]),
  ...last('add, delete', others(['new'], ['head gone']), halfHeard),
  ...last('put', others(['new'], ['old']), halfHeard),
  ...last('fence', others(['new'], ['old']), halfHeard),
  ...last('chain', others(['new'], ['old']), halfHeard),
  ...last('delete', everywhere('gone'), hears('complete')),
];

/** One transaction without `commit()`, or with it in a callback, that begins in `pagehide`. */
const openWrites: readonly Short[] = [
  ...(['delete, add', 'put', 'delete', 'read, put'] as const).map((form): Short => [
    inPagehide(form, form === 'read, put'),
    'reload',
    everywhere('old'),
  ]),
  ...(['delete, add', 'put'] as const).flatMap((form): readonly Short[] => [
    [inPagehide(form, false), 'navigate', { chromium: ['old'], firefox: ['new'], webkit: ['blocked'] }],
    [inPagehide(form, false), 'back', others(['new'], ['old']), hears('abort')],
  ]),
  [inPagehide('read', false), 'navigate', others(['old'], ['write blocked'])],
  [inPagehide('read', false), 'back', everywhere('old'), hears('complete')],
  [inPagehide('read, put', true), 'navigate', others(['old'], ['blocked']), undefined, { chromium: ['new'] }],
  [inPagehide('read, put', true), 'back', { chromium: ['new'], firefox: ['old'], webkit: ['new'] }, hears('complete')],
];

/** Transactions in flight when their page is left. */
const streams: readonly Short[] = [
  ...(['put', 'chain', 'fence'] as const).flatMap((form) =>
    ways.map((way): Short => [inStream(form, true), way, everywhere('whole')]),
  ),
  ...(['put', 'fence'] as const).map((form): Short => [
    inStream(form, true, { last: true }),
    'reload',
    everywhere('whole'),
  ]),
  ...ways.map((way): Short => [inStream('delete, add', true), way, others(['whole'], ['whole', 'torn'])]),
  [inStream('delete, add', false), 'reload', everywhere('whole')],
  [inStream('delete, add', false), 'navigate', others(['whole'], ['whole', 'blocked'])],
  [inStream('read, put', true), 'reload', everywhere('whole')],
  [inStream('read, put', true), 'navigate', others(['whole'], ['whole', 'blocked'])],
  ...ways.map((way): Short => [inStream('read, put', true, { aborts: true }), way, everywhere('whole')]),
  [inStream('read, put', true, { aborts: true, last: true }), 'reload', everywhere('whole')],
  [inStream('read', false), 'reload', everywhere('whole')],
  [inStream('read', false), 'navigate', others(['whole'], ['whole', 'write blocked'])],
  ...ways.map((way): Short => [inStream('read', false, { aborts: true }), way, everywhere('whole')]),
  ...(['delete, add', 'put'] as const).map((form): Short => [
    { form, commits: true, moment: 'beforeunload' },
    'reload',
    form === 'put' ? { chromium: ['new'], firefox: ['new'], webkit: ['old', 'new'] } : others(['new'], ['new', 'torn']),
  ]),
];

/** The rows of the tables: what is found when a page is left, in each engine. */
export const rows: readonly Row[] = [...lastWrites, ...openWrites, ...streams].map(
  ([setup, way, outcomes, heard, also]) => ({
    name: nameOf(setup, way),
    setup,
    way,
    outcomes,
    ...(heard && { heard }),
    ...(also && { also }),
  }),
);

function nameOf({ form, commits, moment, aborts, last }: Setup, way: Way): string {
  const parts = [form, ...(commits ? ['commit'] : [])].join(', ');
  return `${parts}${aborts ? ', aborted in pagehide' : ''}${last ? ', and a last put' : ''}; ${moment}; ${way}`;
}
