/** Every sentence of the drawer that is not in the viewer, in English. */
export const en = {
  drawer: 'Brooklet devtools',
  devtools: 'Devtools',
  tabs: { log: 'Log', state: 'State', requests: 'Requests', review: 'Review' },
  session: 'Session',
  noSession: 'none yet',
  copyTest: 'Copy as test',
  copied: 'Copied',
  notCopied: (reason: string): string => `Not copied: ${reason}`,
  close: 'Close',
  cutOff: (seq: number): string =>
    `The log begins with event ${seq}: the session has no store, and it is older than these devtools.`,

  event: 'Event',
  last: (shown: number, length: number): string => `The last ${shown} of ${length}; the review has all.`,
  nothing: 'Nothing has happened yet.',

  state: 'State',
  status: 'Status',
  statuses: {
    idle: 'idle',
    running: 'running',
    waiting: 'waiting',
    interrupted: 'interrupted',
    failed: 'failed',
    limit: 'limit',
  },
  storage: 'Storage',
  notOpen: 'not open in this page',
  run: 'Run',
  runText: (outcome: string, steps: number): string => `${outcome}, ${steps} step${steps === 1 ? '' : 's'}`,

  requestsAndCalls: 'Requests and calls',
  requests: 'Requests',
  request: (number: number): string => `Request ${number}`,
  noRequest: 'No request has been sent.',
  step: 'Step',
  first: 'First',
  whole: 'Whole',
  input: 'In',
  output: 'Out',
  calls: 'Tool calls',
  tool: 'Tool',
  waited: 'Waited',
  ran: 'Ran',
};

/** The sentences of the drawer in one language. */
export type DrawerTexts = typeof en;
