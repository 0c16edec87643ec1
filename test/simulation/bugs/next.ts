import { type Bugs, swap } from './bug.ts';

const next = 'src/core/model/next.ts';
const between = 'src/core/model/between-runs.ts';

export const nextBugs: Bugs = {
  'a call runs before the other calls of its reply are checked': swap(
    next,
    `if (requested) return { do: 'decide', call: requested };
  const ready = readyCall(state, policy);
  if (ready) return { do: 'execute', call: ready };`,
    `const ready = readyCall(state, policy);
  if (ready) return { do: 'execute', call: ready };
  if (requested) return { do: 'decide', call: requested };`,
  ),
  'the model is asked while a call is open': swap(next, "if (open.length > 0 || isHeld) return { do: 'wait' };", ''),
  'an exclusive call starts beside others': swap(next, '!(running.length > 0 && isExclusive(call))', 'true'),
  'other calls start beside an exclusive one': swap(next, 'running.some(isExclusive)', 'false'),
  'a run has no limit of steps': swap(
    next,
    "if (steps >= Math.min(maxSteps, budget.steps ?? Infinity)) return 'steps';",
    '',
  ),
  'a follower ends the run of a living tab': swap(
    between,
    "if (role === 'orphaned' && isRunning)",
    "if (role !== 'owner' && isRunning)",
  ),
  'nobody ends the run of a dead tab': swap(between, "if (role === 'orphaned' && isRunning)", 'if (false)'),
  'a call that was edited does not run': swap(next, "call.status === 'edited' ||", ''),
  'a step follows from a decision that is being stored': swap(next, '!isHeld?.(call.callId)', 'true'),
  'a call that nobody has decided runs': swap(
    next,
    "(call.status === 'approved' ||",
    "(call.status === 'approved' || call.status === 'awaiting-approval' ||",
  ),
};
