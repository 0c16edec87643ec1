import type { Agent } from 'brooklet';
import { BehaviorSubject } from 'rxjs';
import { getSessionId, goTo } from '../route.ts';
import { getTexts } from '../texts/language.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { showToast } from '../toast/toasts.ts';
import { pin } from './metadata.ts';

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

/** Removes a session at once, and offers to undo that. */
export function removeSession(agent: Agent, { id, title }: Target): void {
  const texts = getTexts();
  const name = title || texts.common.untitled;
  const wasShown = getSessionId() === id;
  agent.removeSession(id);
  setRemoved(id, true);
  agent.removed(id).catch((thrown: unknown) => {
    setRemoved(id, false);
    reportRefusal(thrown);
  });
  if (wasShown) goTo(undefined);
  showToast(texts.toast.deleted(name), {
    action: {
      label: texts.common.undo,
      isUndo: true,
      run: () => void restoreSession(agent, { id, title: name }, wasShown),
    },
  });
}

async function restoreSession(agent: Agent, { id, title }: Target, wasShown: boolean): Promise<void> {
  const { toast } = getTexts();
  try {
    // A session that has not left the store yet cannot be restored.
    await agent.removed(id);
    if (!(await agent.restoreSession(id))) {
      showToast(toast.notRestored(title), { tone: 'bad' });
      return;
    }
    setRemoved(id, false);
    showToast(toast.restored(title));
    if (wasShown) goTo(id);
  } catch (thrown) {
    reportRefusal(thrown);
  }
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

/** Exports one session, or without a session all of them, as a file. */
export async function exportSessions(agent: Agent, target?: Target): Promise<void> {
  const { store } = agent;
  if (!store) return;
  const { toast } = getTexts();
  try {
    const { download, exportFile } = await import('./transfer.ts');
    const { file, sessions, skipped } = await exportFile(store, {
      title: target?.title ?? 'all',
      date: new Date(),
      ...(target && { sessionId: target.id }),
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
