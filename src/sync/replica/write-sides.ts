import { defined } from '../../core/json.ts';
import { doubtsOf } from './base.ts';
import { coalesce, firstSeq } from '../../core/model/coalesce.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import { foldLog } from '../../core/model/fold.ts';
import { toSummary } from '../../core/model/summary.ts';
import { lineageOf, toWriteId } from '../../core/model/write-id.ts';
import { runnerOf, toLocalId, toMergedId, toRemoteId, toRemovalName } from './names.ts';
import { note } from './note.ts';
import type { Place, Plan } from './plan.ts';
import { replacedBy } from './replaced-by.ts';
import type { Sides, SyncEnv } from './sides.ts';
import { everything, startedAt, toWrite } from './to-write.ts';

type Content = Pick<Extract<Plan, { do: 'write' }>, 'common' | 'events' | 'isMerged'>;

/** Stores what another device has written. Invariant: where the past of the log changes, another lineage begins, so that every tab reads it again. */
export async function writeHere(
  { common, events, isMerged }: Content,
  { id, base, here, there, row, from, doubts, isCurbed = false }: Sides,
  env: SyncEnv,
  isDone: boolean = !isMerged,
): Promise<void> {
  const { local, device, ports } = env;
  const known = typeof here === 'object' ? here : row;
  const theirs = typeof there === 'object' ? there : undefined;
  const isReplacing = known !== undefined && known.summary.seq > common;
  const lineage = isReplacing ? ports.id() : lineageOf(known?.writeId);
  // A log that ends like neither side has an id of its own, which names the runner of the side below. Where decisions were left out, the runner is
  // that of the last decision that counted, and may be this device.
  const merged = toMergedId(isCurbed ? base?.theirs : isReplacing ? theirs?.writeId : undefined, ports.id());
  const last = isMerged || isCurbed ? merged : (theirs?.writeId ?? merged);
  const writeId = toLocalId(last, lineage ?? lineageOf(theirs?.writeId) ?? ports.id(), isCurbed ? '' : device);
  const [first] = events;
  // A text that has grown there begins before what both sides have in common.
  const isKept = ({ seq }: SessionEvent): boolean => seq <= common && (first === undefined || seq < firstSeq(first));
  const log = [...((isReplacing ? theirs : known)?.events.filter(isKept) ?? []), ...events];
  const summary = from === 0 ? toSummary(foldLog(id, log)) : theirs?.summary;
  if (summary === undefined) return;
  await local.write({
    ...toWrite(id, isReplacing ? log : events, summary, known),
    ...defined({ replaces: isReplacing ? everything : optional(replacedBy(events, common)) }),
    writeId,
  });
  if (here === 'removed' && base !== undefined) env.onTrouble({ type: 'revived', sessionId: id });
  if (theirs && isDone) await note(id, { seq: summary.seq, mine: writeId, theirs: theirs.writeId }, base, env, doubts);
}

/** Stores there what this device has written, as one write. */
export async function writeThere(
  { common, events }: Content,
  { id, base, here, there, mark, doubts }: Sides,
  env: SyncEnv,
): Promise<void> {
  const { remote, device, ports } = env;
  if (typeof here !== 'object') return;
  const known = typeof there === 'object' ? there : mark;
  const isReplacing = known !== undefined && known.summary.seq > common;
  const name = here.writeId ?? toWriteId(ports.id(), ports.id());
  const lineage = isReplacing ? ports.id() : (lineageOf(known?.writeId) ?? lineageOf(name) ?? '');
  const runner = events.every(isConcurrent) && known !== mark ? runnerOf(known?.writeId) : undefined;
  const theirs = toRemoteId(name, lineage, runner ?? device);
  const sent = coalesce(isReplacing ? here.events : events);
  await remote.write({
    ...toWrite(id, sent, here.summary, known),
    ...defined({ replaces: isReplacing ? everything : optional(replacedBy(sent, common)) }),
    writeId: theirs,
  });
  if (there === 'removed' && base !== undefined) env.onTrouble({ type: 'revived', sessionId: id });
  await note(id, { seq: here.summary.seq, mine: here.writeId, theirs }, base, env, doubtsOf(doubts ?? base, sent));
}

/**
 * Removes a session that is unchanged since, by a write that takes its place: a mark. Invariant: the write of another device comes before
 * the mark, or is refused. The remote store keeps the mark for some time: its `remove` expects nothing, and could remove what another
 * device has stored again.
 */
export async function removeFrom(
  place: Place,
  { id, here, there }: Sides,
  { local, remote, bases, ports, device }: SyncEnv,
): Promise<void> {
  const store = place === 'here' ? local : remote;
  const side = place === 'here' ? here : there;
  if (typeof side !== 'object') return;
  const at = ports.now();
  const seq = side.summary.seq + 1;
  const started = { ...startedAt(id, at), seq };
  const last = toWriteId(ports.id(), toRemovalName(ports.id()));
  await store.write({
    ...toWrite(id, [started], toSummary(foldLog(id, [started])), side),
    replaces: everything,
    writeId: place === 'here' ? last : toRemoteId(last, lineageOf(last) ?? '', device),
  });
  if (place === 'here') await local.remove(id);
  await bases.set(id, undefined);
}

function optional<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
