import { type Bugs, swap } from './bug.ts';

const evolve = 'src/core/model/evolve.ts';
const coalesce = 'src/core/model/coalesce.ts';

export const evolveBugs: Bugs = {
  'a message that is admitted stays in the queue': swap(
    evolve,
    'queue: without(state.queue, event.message.id),',
    'queue: state.queue,',
  ),
  'a call that ran when its run was cut off stays started': swap(
    evolve,
    "closeAll(closed, 'uncertain', 'started')",
    'closed',
  ),
  'the calls of a reply that was cut off stay open': swap(
    evolve,
    "({ ...closeCalls(reply, 'cancelled'), status: 'interrupted' })",
    "({ ...reply, status: 'interrupted' })",
  ),
  'an edited input is ignored': swap(
    evolve,
    "verdict === 'approved' && input !== undefined ? 'edited' : verdict",
    'verdict',
  ),
  'no step is counted': swap(evolve, 'steps: run.steps + 1', 'steps: run.steps'),
  'the calls of an old run stay open when another run starts': swap(
    evolve,
    "(resumed ? state : closeAll(state, 'cancelled'))",
    'state',
  ),
  'the number of attempts is forgotten': swap(evolve, ', ...(attempt > 1 && { attempt })', ''),
  'an empty reply that was cut off stays': swap(evolve, 'content.length === 0 && status !== undefined &&', 'false &&'),
  'a run that has ended stays open': swap(evolve, 'run: { ...run, outcome, ...defined', 'run: { ...run, ...defined'),
  'the run ends with the reply that another run began': swap(
    evolve,
    'return run?.id === event.runId ? endRun(state, run, event) : state;',
    'return run ? endRun(state, run, event) : state;',
  ),
  'the first of two joined texts is lost': swap(
    coalesce,
    '{ ...second, text: first.text + second.text, since } : undefined',
    '{ ...second, text: second.text, since } : undefined',
  ),
  'the inputs of two calls are joined': swap(
    coalesce,
    "first.type === 'call.delta' && first.callId === second.callId",
    "first.type === 'call.delta'",
  ),
  'the rewrite of a run leaves its last event': swap(coalesce, 'range[1] = event.seq;', 'range[1] = event.seq - 1;'),
};
