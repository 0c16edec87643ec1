import { type Bugs, swap } from './bug.ts';

const evolve = 'src/core/model/evolve.ts';
const approval = 'src/core/model/approval.ts';
const coalesce = 'src/core/model/coalesce.ts';
const rewrite = 'src/core/model/rewrite.ts';
const folding = 'src/core/model/folding.ts';

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
  'an edited input is ignored': swap(
    approval,
    "verdict === 'approved' && input !== undefined ? 'edited' : verdict",
    'verdict',
  ),
  'no step is counted': swap(evolve, 'steps: run.steps + 1', 'steps: run.steps'),
  'a run that has ended stays open': swap(
    evolve,
    'merge(pay(run, run.reserved), { outcome, ...defined',
    'merge(pay(run, run.reserved), { ...defined',
  ),
  'the first of two joined texts is lost': swap(
    coalesce,
    '{ ...second, text: first.text + second.text, since } : undefined',
    '{ ...second, text: second.text, since } : undefined',
  ),
  'a step follows from a state without its newest message': swap(
    folding,
    'if (state.messages.length === 0) takeBack();',
    '',
  ),
  'the rewrite of a run leaves its last event': swap(rewrite, 'range[1] = event.seq;', 'range[1] = event.seq - 1;'),
};
