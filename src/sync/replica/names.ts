import { toWriteId } from '../../core/model/write-id.ts';

// The same write has an id on each side: `<lineage>/<name>` here, `<lineage>/<runner>:<name>` on the remote store. The runner is the device
// that has last stored events of a run: a write beside a run keeps the runner of the write before. The lineages of the two sides differ as
// soon as the past of one side alone was replaced.

/** Returns the name of a write: its id without the lineage. */
function nameOf(writeId: string): string {
  return writeId.slice(writeId.lastIndexOf('/') + 1);
}

/** Returns the device that runs the session; `undefined` where the write is of this device, or of no replica. */
export function runnerOf(remoteId: string | undefined): string | undefined {
  const [device, name] = nameOf(remoteId ?? '').split(':');
  return name === undefined || device === undefined ? undefined : decode(device);
}

/** Returns the remote id of a write of this device. A write that came from the remote store keeps its runner. */
export function toRemoteId(writeId: string, lineage: string, runner: string): string {
  const name = nameOf(writeId);
  return toWriteId(lineage, name.includes(':') ? name : `${encodeURIComponent(runner)}:${name}`);
}

/** Returns the id that a remote write has here. A write of this device gets its own id again, so that its writer recognizes the write. */
export function toLocalId(remoteId: string, lineage: string, device: string): string {
  const name = nameOf(remoteId);
  const own = `${encodeURIComponent(device)}:`;
  return toWriteId(lineage, name.startsWith(own) ? name.slice(own.length) : name);
}

/** Returns the id of a write that ends a merged log: its own name, and the runner of the remote log. */
export function toMergedId(remoteId: string | undefined, name: string): string {
  const runner = runnerOf(remoteId);
  return toWriteId('', runner === undefined ? name : `${encodeURIComponent(runner)}:${name}`);
}

/** A broken escape in a name of another device must not stop the synchronization. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const removal = 'removing-';

/** Returns the name of a write that takes the place of a removed session. */
export function toRemovalName(unique: string): string {
  return removal + unique;
}

/** Whether a log is the mark of a removed session. */
export function isRemoval(writeId: string | undefined): boolean {
  return nameOf(writeId ?? '')
    .replace(/^.*:/, '')
    .startsWith(removal);
}

const listed = 'listed-';

/** Returns the id of the write that stores the row of a session whose log is not here yet. */
export function toListedId(unique: string): string {
  return toWriteId(unique, listed + unique);
}

/** Whether this device has the row of the session alone. */
export function isListed(writeId: string | undefined): boolean {
  return nameOf(writeId ?? '').startsWith(listed);
}

const kept = 'kept-';

/** Returns the id of the write that stores a fork. @param writeId names the end of the log that is kept */
export function toForkId(forkId: string, writeId: string): string {
  return toWriteId(forkId, kept + nameOf(writeId).replace(':', '.'));
}

/** Whether a fork ends with the write that stored it: it was not continued. */
export function isUntouchedFork(writeId: string | undefined): boolean {
  return nameOf(writeId ?? '').startsWith(kept);
}
