import { type Bugs, swap } from './bug.ts';

const session = 'src/core/session/create-session.ts';
const run = 'src/core/session/run.ts';
const results = 'src/core/session/run-results.ts';
const perform = 'src/core/session/perform.ts';
const tabs = 'src/core/session/tabs.ts';
const link = 'src/core/log/create-store-link.ts';

const verbBugs: Bugs = {
  'what is approved is read after the call': swap(
    session,
    `readDecision(options, 'approve')] as const;
      return holderOf(callId)?.approve(callId, options) ?? decisions.approve(...copies);`,
    `options] as const;
      return Promise.resolve().then(() => decisions.approve(copies[0], readDecision(copies[1], 'approve')));`,
  ),
};

const runBugs: Bugs = {
  'a run that was lost goes on': swap(run, 'abandon: () => underWay.unsubscribe()', 'abandon: () => {}'),
  'a run that has ended goes on': swap(
    run,
    "underWay.unsubscribe();\n    log.append({ type: 'run.ended'",
    "log.append({ type: 'run.ended'",
  ),
  'the promise of a lost run never settles': swap(
    results,
    'if (getState().run?.id !== runId) settle(runId, result);',
    '{}',
  ),
  'the promise of a message that steered elsewhere never settles': swap(
    results,
    '      expectAdmitted(event.runId);\n      settle(',
    '      settle(',
  ),
  'the promise of a queued message outlives its session': swap(
    results,
    "settle(runId, { outcome: 'cancelled' });\n      cancelWaiting();",
    "settle(runId, { outcome: 'cancelled' });",
  ),
  'the model is asked without the lease': swap(perform, 'await own();', ''),
  'a summary is requested without the lease': swap(perform, 'defer(() => whenStored(env))', 'defer(async () => {})'),
};

const tabBugs: Bugs = {
  'what a late tab queued is dropped': swap(tabs, 'appendAgain(concurrent);', ''),
  'a prompt of a late tab is dropped': swap(tabs, '...prompts.map(resend)', ''),
  'what a late tab added is dropped': swap(tabs, '() => appendAgain(later)', '() => {}'),
  'a message that was stored after all is added again': swap(tabs, 'if (!isThere) append(body);', 'append(body);'),
  'a tab does not stop the run that it has lost': swap(tabs, 'return runs.abandonRun();', 'return undefined;'),
  'a message that was added late is no message of a person': swap(
    'src/core/model/refused.ts',
    "(event.type === 'message.added' && !prompts.some(({ message }) => message === event.message))",
    'false',
  ),
};

const linkBugs: Bugs = {
  'no tab hears of changes': swap(link, "changed === id && dispatch({ type: 'changed' })", 'undefined'),
  'a refused decision is shown as saved': swap(link, '    adjust?.();\n', '    queueMicrotask(() => adjust?.());\n'),
  'a lock that comes too late is kept': swap('src/core/log/lock-place.ts', 'if (signal.aborted) lock?.release();', ''),
  'a lock is never released': swap(
    'src/core/log/lock-place.ts',
    "signal.addEventListener('abort', () => lock?.release());",
    '',
  ),
};

export const sessionBugs: Bugs = { ...verbBugs, ...runBugs, ...tabBugs, ...linkBugs };
