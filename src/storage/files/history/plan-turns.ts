import type { EventBody } from '../../../core/model/event.ts';
import { withOrigin } from '../../../core/model/origin.ts';
import type { SessionState } from '../../../core/model/state.ts';
import type { Turn } from '../../../history/transcript.ts';

/** What a session has already. */
export interface KnownSession {
  readonly state: Pick<SessionState, 'messages' | 'alternatives'>;
  /** Ids of all messages that its log has, also of those that left the conversation. */
  readonly ids: ReadonlySet<string>;
}

interface Version {
  /** Id of the message before; empty at the beginning. */
  readonly after: string;
  readonly ids: readonly string[];
}

/**
 * Returns the events that add the messages that a session does not have yet. Messages that follow the same message become versions: an added
 * message supersedes what is shown in its place. At the end the version is shown that the program shows; if a person has continued the
 * session here, the version that was shown before.
 *
 * @param turns each after the one before it
 * @param current id of the last message that the program shows
 */
export function planTurns(
  turns: readonly Turn[],
  current: string | undefined,
  { state, ids }: KnownSession = { state: { messages: [], alternatives: [] }, ids: new Set() },
): readonly EventBody[] {
  const bodies: EventBody[] = [];
  let shown = state.messages.map(({ id }) => id);
  /** Place of each message that is shown. */
  let places = toPlaces(shown);
  const hidden = new Map<string, Version>(
    state.alternatives.map(({ after, messages }) => [
      messages[0]?.id ?? '',
      { after, ids: messages.map(({ id }) => id) },
    ]),
  );
  const parents = new Map(turns.map(({ message, parent }) => [message.id, parent ?? '']));
  const own = new Set(parents.keys());
  const isContinuedHere = shown.some((id) => !own.has(id));
  const lastShown = shown.at(-1);

  function setAside(start: number): void {
    const [first] = shown.slice(start, start + 1);
    if (first !== undefined) hidden.set(first, { after: shown[start - 1] ?? '', ids: shown.slice(start) });
    shown = shown.slice(0, start);
    places = toPlaces(shown);
  }

  /** Shows the version that contains a message. Returns whether there is one. */
  function show(id: string): boolean {
    if (id === '' || places.has(id)) return true;
    const version = [...hidden].find(([, { ids: members }]) => members.includes(id));
    if (version === undefined) return false;
    const [first, { after, ids: members }] = version;
    if (!show(after)) return false;
    hidden.delete(first);
    setAside(after === '' ? 0 : (places.get(after) ?? 0) + 1);
    shown.push(...members);
    places = toPlaces(shown);
    bodies.push({ type: 'alternative.selected', messageId: first });
    return true;
  }

  /** Returns the nearest message before that the session still has; a message whose ancestors were all removed comes last. */
  function anchorOf(id: string): string {
    for (let before = parents.get(id) ?? ''; before !== ''; before = parents.get(before) ?? '')
      if (show(before)) return before;
    return parents.get(id) ? (shown.at(-1) ?? '') : '';
  }

  for (const { message } of turns) {
    if (ids.has(message.id)) continue;
    const anchor = anchorOf(message.id);
    const start = anchor === '' ? 0 : (places.get(anchor) ?? 0) + 1;
    const supersedes = shown[start];
    if (supersedes !== undefined) setAside(start);
    places.set(message.id, shown.push(message.id) - 1);
    bodies.push({
      type: 'message.added',
      message: withOrigin(message, { type: 'import' }),
      ...(supersedes !== undefined && { supersedes }),
    });
  }
  const end = isContinuedHere ? lastShown : current;
  if (bodies.length > 0 && end !== undefined) show(end);
  return bodies;
}

function toPlaces(ids: readonly string[]): Map<string, number> {
  return new Map(ids.map((id, place) => [id, place]));
}
