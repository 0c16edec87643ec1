import { type Bugs, swap } from '../bugs/bug.ts';

const call = 'src/agents/execute-in-session.ts';
const drive = 'src/agents/drive.ts';
const families = 'src/core/agent/families.ts';
const removal = 'src/core/agent/remove-tree.ts';
const account = 'src/core/session/account.ts';
const session = 'src/core/session/create-session.ts';
const tabs = 'src/core/session/tabs.ts';

/** What somebody might get wrong in a tree of agents and not see, one at a time. */
export const bugs: Bugs = {
  'a second attempt at a call starts a second session': swap(
    call,
    'const id = `${sessionId}/${callId}`;',
    'const id = `${sessionId}/${callId}${call.status === "uncertain" ? "/again" : ""}`;',
  ),
  'a session that has completed runs again': [
    {
      file: drive,
      swaps: [
        ['if (isDone || (run !== undefined && !mayGoOn(run))) return;', 'if (isDone) return;'],
        ['(run === undefined ? child.send', '(run === undefined || run.outcome === "completed" ? child.send'],
        ['{ id: `prompt-of-${child.id}`, content: prompt }', '{ content: prompt }'],
      ],
    },
  ],
  'a tab that was late says the prompt again': swap(
    drive,
    '{ id: `prompt-of-${child.id}`, content: prompt }',
    '{ content: prompt }',
  ),
  'a run that ends leaves its calls at work': swap(
    call,
    "signal.addEventListener('abort', () => void leave(), { once: true });",
    '',
  ),
  'a stop in another tab leaves what is below': swap(session, 'env.tree?.cancelBelow();', ''),
  'a stop is lost where another tab has taken over the run': swap(
    tabs,
    "else driven.end('cancelled');",
    "else return driven.end('cancelled');",
  ),
  'a call ends before the end of its session is stored': swap(call, '    await whenStored(child, ports);\n', ''),
  'what a cancelled call has left goes on': swap(
    families,
    'if (session.getState().children) void settle(session);',
    '',
  ),
  'a decision at the root reaches another session': swap(
    families,
    'below(id).find((session) => findCall(session.getState(), callId) !== undefined)',
    'below(id).at(0)',
  ),
  'the purse counts what is below twice': swap(
    account,
    '...addSpending(used, below),',
    '...addSpending(addSpending(used, below), below),',
  ),
  'the purse does not count what is below': swap(
    account,
    'for (const id of openChildrenOf(state)) {',
    'for (const id of openChildrenOf(state).slice(0, 0)) {',
  ),
  'a call that has ended does not count': swap(call, "...('tokens' in spent && { spent }), ", ''),
  'a call that was stopped does not count': swap(
    'src/core/session/run.ts',
    "outcome === 'cancelled' ? env.tree?.spentBelow() : undefined",
    'undefined',
  ),
  'a purse that was filled again counts what was used before': swap(
    'src/core/session/runs.ts',
    'isOwnLimit(resumed) ? env.tree?.spentBelow() : undefined',
    'undefined',
  ),
  'a session fills the purse of a session above': swap(
    'src/core/model/evolve.ts',
    'isOwnLimit(resumed) ? undefined : resumed',
    "resumed?.outcome === 'limit' ? undefined : resumed",
  ),
  'a removal leaves the sessions below': swap(removal, 'children.forEach(removeSession);', ''),
  'a removal from the list leaves the sessions below': swap(
    removal,
    'void below?.then((ids) => ids.forEach(removeSession));',
    '',
  ),
};
