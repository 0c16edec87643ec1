import { type Bugs, swap } from '../simulation/bugs/bug.ts';

const plan = 'src/sync/replica/plan.ts';
const step = 'src/sync/replica/sync-session.ts';
const forks = 'src/sync/replica/forks.ts';
const writes = 'src/sync/replica/write-sides.ts';
const claims = 'src/sync/replica/claims.ts';
const storeClaim = 'src/sync/replica/store-claim.ts';
const forkLog = 'src/sync/replica/fork-log.ts';
const compare = 'src/sync/replica/compare.ts';

/** What somebody might get wrong in the replica and not see, one at a time. */
export const bugs: Bugs = {
  'the page that only proposes drives the run as well': swap(
    'src/core/session/proposals.ts',
    'if (link.isClosed() || !isDriving()) return;',
    'if (link.isClosed()) return;',
  ),
  'what diverged is dropped, and not kept': swap(step, '      await keepAsFork(plan, sides, env);\n', ''),
  'a run that diverged is put above the run of the other device': swap(
    plan,
    'const isClosed = mine.every(',
    'const isClosed = mine.some(',
  ),
  'a retry takes its own half-made fork for done': swap(
    forks,
    'if (begun?.stored?.writeId === stamped.writeId) return;',
    'if (begun?.stored !== undefined) return;',
  ),
  'a fork is opened under the id of the session': swap(
    forkLog,
    "event.type === 'session.started' ? { ...event, sessionId: forkId } : event",
    'event',
  ),
  'a fork that is done is overwritten by the next one': swap(
    plan,
    "if (!isNeeded) return state.is === 'missing' ? {} : { keptAs: id };",
    '',
  ),
  'a call of a fork can run': swap(forkLog, "append({ type: 'session.imported' });", '{}'),
  'a past that was replaced keeps its lineage': swap(
    writes,
    'const lineage = env.ports.id();',
    "const lineage = lineageOf(known.writeId) ?? '';",
  ),
  'what another device stored beside a run is merged twice': swap(
    plan,
    'missingIn(theirs.filter(isConcurrent), mine)',
    'theirs',
  ),
  'what this device stored beside a run is dropped': swap(plan, '[...theirs, ...rebased]', 'theirs'),
  'what is merged keeps its numbers': swap(
    compare,
    '({ ...event, seq: seq + 1 + index })',
    '({ ...event, seq: event.seq + 0 * (seq + index) })',
  ),
  'a session that somebody goes on with is removed': swap(
    plan,
    "wasRemoved && isTip(here.stored, base, 'mine')",
    'wasRemoved',
  ),
  'a tool starts before the shared store knows of it': swap(
    claims,
    "return claims !== 'local' && callsOf(write).length > 0;",
    'return callsOf(write).length > 0 && claims === undefined;',
  ),
  'a claim is not compared with what the shared store has': swap(
    storeClaim,
    'await remote.write({ ...claim, expectedWriteId: base?.theirs });',
    'await remote.write({ ...claim, expectedWriteId: base?.theirs }).catch(() => {});',
  ),
  'a text that has grown is sent beside its beginning': swap(
    'src/sync/replica/replaced-by.ts',
    'return first !== undefined && firstSeq(first) <= common ? [[firstSeq(first), common]] : [];',
    'return first !== undefined && common < 0 ? [[firstSeq(first), common]] : [];',
  ),
  'part of a log is stored as the whole': swap(
    plan,
    "if (from > 0) return { do: 'read-whole' };\n  const { events, summary } = here",
    'const { events, summary } = here',
  ),
};
