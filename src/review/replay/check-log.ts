import { eventVersion, type SessionEvent } from '../../core/model/event.ts';
import { contentIdOf } from '../../core/model/hash.ts';
import { coalesce } from '../../core/model/coalesce.ts';
import { upcastLog } from '../../core/model/upcast.ts';
import { hasKnownType } from '../kind.ts';
import { ReplayError } from './replay-error.ts';

/**
 * Returns a log in the shape that a replay reads: of the present version, with consecutive deltas joined.
 *
 * @throws ReplayError `unreplayable` for the first event that cannot be replayed, with its `seq` and the reason
 */
export function checkLog(log: readonly SessionEvent[]): readonly SessionEvent[] {
  const events = upcastLog(log.filter(({ type }) => type !== 'call.progress'));
  let last = 0;
  for (const event of events) {
    const reason = whyUnreplayable(event, last);
    if (reason !== undefined)
      throw new ReplayError(`Cannot replay the event with seq ${event.seq}, ${event.type}: ${reason}.`, {
        what: 'unreplayable',
        seq: event.seq,
        recorded: event,
      });
    last = event.seq;
  }
  return coalesce(events);
}

function whyUnreplayable(event: SessionEvent, last: number): string | undefined {
  const { type, seq } = event;
  const v: unknown = event.v;
  if (v !== eventVersion)
    return `its version is ${JSON.stringify(v)}, and this package reads versions up to ${eventVersion}: update brooklet`;
  if (!hasKnownType(event)) return 'this package does not know the type of the event: update brooklet';
  if (!(seq > last)) return `its seq does not follow ${last}: pass the events in the order of the log`;
  if (last === 0 && type !== 'session.started')
    return 'a log begins with session.started: pass all events of one session, from the first one on';
  if ('contentId' in event && event.contentId !== contentIdOf(contentOf(event)))
    return 'its content is not the recorded one: the file was masked or changed';
  if (type === 'event.dropped') return 'the event was dropped, since it could not be stored, and its content is lost';
  if (type === 'reply.started' && event.request === undefined)
    return 'the log does not contain the request of the reply: it is of version 1, or of another agent';
  return undefined;
}

function contentOf(event: Extract<SessionEvent, { readonly contentId: string }>): object {
  return event.type === 'tools.changed' ? event.tools : event.messages;
}
