import { type AgentSession, toolParts } from 'brooklet';

/** The actions of a person in a session. */
export type Deed =
  | 'send'
  | 'queue'
  | 'steer'
  | 'add'
  | 'rename'
  | 'cancel'
  | 'regenerate'
  | 'resume'
  | 'approve'
  | 'reject'
  | 'wait';

/** Calls that await approval, oldest first. */
export const heldIn = (session: AgentSession): readonly string[] =>
  session
    .getMessages()
    .flatMap(toolParts)
    .filter(({ status }) => status === 'awaiting-approval')
    .map(({ callId }) => callId);

/**
 * Performs an action of a person; a rejected action has to reject with a typed error. Returns whether the action was
 * accepted.
 */
export function act(session: AgentSession, deed: Deed, words: string): boolean {
  const ignore = (promise: Promise<unknown>): void => void promise.catch(expectTyped);
  const held = heldIn(session);
  try {
    if (deed === 'send') ignore(session.send(words));
    if (deed === 'queue' || deed === 'steer') ignore(session.send(words, { whenBusy: deed }));
    if (deed === 'add') session.addMessage({ role: 'user', content: words });
    if (deed === 'rename') session.rename(words);
    if (deed === 'cancel') session.cancel();
    if (deed === 'regenerate') ignore(session.regenerate());
    if (deed === 'resume') ignore(session.resume());
    if (deed === 'approve') ignore(session.approve(held[0] ?? ''));
    if (deed === 'reject') ignore(session.reject(held.at(-1) ?? ''));
    return true;
  } catch (error) {
    expectTyped(error);
    return false;
  }
}

export function expectTyped(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AgentError')) throw error;
}
