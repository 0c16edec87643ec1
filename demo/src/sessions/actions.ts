import type { Agent } from 'brooklet';
import { BehaviorSubject } from 'rxjs';
import { getSessionId, goTo } from '../base/route.ts';
import { getTexts } from '../texts/language.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { showToast, showUndo } from '../toast/toasts.ts';
import { archive, pin } from '../model/metadata.ts';

/** A session, as an action needs it. */
export interface Target {
  readonly id: string;
  readonly title: string;
}

const removed = new BehaviorSubject<ReadonlySet<string>>(new Set());
/** Sessions that have been removed in this tab. A list may still contain them until it has been read again. */
export const removed$ = removed.asObservable();
export const getRemoved = (): ReadonlySet<string> => removed.value;

function setRemoved(id: string, isRemoved: boolean): void {
  const ids = new Set(removed.value);
  if (isRemoved) ids.add(id);
  else ids.delete(id);
  removed.next(ids);
}

/** Forgets the removed sessions that the lists do not contain any more: an import may bring them back. */
export function forgetRemoved(listed: ReadonlySet<string>): void {
  for (const id of removed.value) if (!listed.has(id)) setRemoved(id, false);
}

/** Notes that sessions are stored again: an import has brought them back, also where no list has been read without them. */
export function noteStored(ids: readonly string[]): void {
  for (const id of ids) setRemoved(id, false);
}

/** Those of them that the page showed: it shows them again. */
const left = new Set<string>();

/** Removes sessions at once. Rejects with the `AgentError` of the store: what it still has is listed again. */
export async function removeSessions(agent: Agent, targets: readonly Pick<Target, 'id'>[]): Promise<void> {
  const shown = getSessionId();
  const gone = targets.map(async ({ id }) => {
    agent.removeSession(id);
    setRemoved(id, true);
    try {
      await agent.removed(id);
    } catch (thrown) {
      setRemoved(id, false);
      throw thrown;
    }
  });
  if (shown !== undefined && targets.some(({ id }) => id === shown)) {
    left.add(shown);
    goTo(undefined);
  }
  await Promise.all(gone);
}

/** Brings sessions back. Resolves with whether all are: the store keeps them for a while. Rejects with its `AgentError`. */
export async function restoreSessions(agent: Agent, targets: readonly Target[]): Promise<boolean> {
  const { toast, common } = getTexts();
  const back = await Promise.all(
    targets.map(async ({ id }) => {
      // A session that has not left the store yet cannot be restored.
      await agent.removed(id);
      const isBack = await agent.restoreSession(id);
      if (isBack) setRemoved(id, false);
      return isBack;
    }),
  );
  const [first] = targets;
  if (!back.every(Boolean) || !first) return false;
  showToast(targets.length === 1 ? toast.restored(first.title || common.untitled) : toast.restoredMany(targets.length));
  const shown = targets.find(({ id }) => left.delete(id));
  if (shown) goTo(shown.id);
  return true;
}

/** Removes a session, and offers to undo that. */
export function removeSession(agent: Agent, target: Target): void {
  const { toast, common } = getTexts();
  const title = target.title || common.untitled;
  const restore = async (): Promise<void> => {
    if (!(await restoreSessions(agent, [target]))) showToast(toast.notRestored(title), { tone: 'bad' });
  };
  removeSessions(agent, [target]).catch(reportRefusal);
  showUndo(toast.deleted(title), () => void restore().catch(reportRefusal));
}

/** Answers the last message of a session again; the answer before becomes a version. Shows why it is refused. Never rejects. */
export async function answerAgain(agent: Agent, sessionId = ''): Promise<void> {
  try {
    await agent.getSession(sessionId)?.regenerate();
  } catch (thrown) {
    reportRefusal(thrown);
  }
}

/** Pins a session, or unpins it. */
export function togglePin(agent: Agent, target: Target, isPinned: boolean): void {
  pin(agent, target, !isPinned).catch(reportRefusal);
}

/** Moves a session to the archive or out of it, and offers to undo that. */
export function toggleArchive(agent: Agent, { id, title }: Target, isArchived: boolean): void {
  const { toast, common } = getTexts();
  const set = (isOn: boolean): void => void archive(agent, id, isOn).catch(reportRefusal);
  set(!isArchived);
  const text = isArchived ? toast.unarchived : toast.archived;
  showUndo(text(title || common.untitled), () => set(isArchived));
}

/** Exports sessions, or without sessions all of them, as a file. */
export async function exportSessions(agent: Agent, targets?: readonly Target[]): Promise<void> {
  const { store } = agent;
  if (!store) return;
  const { toast } = getTexts();
  try {
    const { download, exportFile } = await import('../base/transfer.ts');
    const { file, sessions, skipped } = await exportFile(store, {
      title: targets === undefined ? 'all' : (targets[0]?.title ?? ''),
      date: new Date(),
      ...(targets && { sessionIds: targets.map(({ id }) => id) }),
    });
    if (sessions > 0) {
      download(file);
      showToast(toast.exported(sessions));
    }
    if (skipped > 0) showToast(toast.notExported(skipped), { tone: 'bad' });
  } catch (thrown) {
    reportRefusal(thrown);
  }
}
