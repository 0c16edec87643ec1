import { versionsAt } from './alternatives.ts';
import type { EventBody } from './event.ts';
import type { Message } from './message.ts';
import type { SessionState } from './state.ts';

/** A path through the versions that is still to be written, from one message on. */
interface Path {
  readonly messages: readonly Message[];
  readonly start: number;
  /** Whether the versions at `start` have been written already: this path is one of them. */
  readonly isVersion?: boolean;
  /** Id of the first message of the version before. */
  readonly supersedes?: string | undefined;
}

/**
 * Returns the events that add the messages and their alternatives, each version after the versions that are older. Versions that no longer
 * follow a message of the conversation are left out.
 */
export function retell(state: SessionState): readonly EventBody[] {
  const bodies: EventBody[] = [];
  /** Ids of the messages that several versions follow. */
  const branched = new Set(state.alternatives.map(({ after }) => after));
  const todo: (Path | EventBody)[] = [{ messages: state.messages, start: 0 }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if ('type' in next) bodies.push(next);
    else todo.push(...tell(next));
  }
  return bodies;

  /** Writes a path up to the next message with alternatives. Returns what is still to be written, in reverse. */
  function tell({ messages, start, isVersion, supersedes }: Path): readonly (Path | EventBody)[] {
    for (const [offset, message] of messages.slice(start).entries()) {
      const index = start + offset;
      const isTold = isVersion === true && offset === 0;
      if (!isTold && branched.has(messages[index - 1]?.id ?? ''))
        return versionsToTell(messages, index, versionsAt({ ...state, messages }, index)).toReversed();
      bodies.push(added(message, isTold ? supersedes : undefined));
    }
    return [];
  }
}

function versionsToTell(
  messages: readonly Message[],
  start: number,
  versions: ReturnType<typeof versionsAt>,
): readonly (Path | EventBody)[] {
  const before = messages.slice(0, start);
  const paths = versions.map((version, index): Path => ({
    messages: [...before, ...version.messages],
    start,
    isVersion: true,
    supersedes: versions[index - 1]?.messages[0]?.id,
  }));
  const shown = messages[start]?.id;
  const isNewest = versions.at(-1)?.messages[0]?.id === shown;
  return isNewest || shown === undefined ? paths : [...paths, { type: 'alternative.selected', messageId: shown }];
}

function added(message: Message, supersedes: string | undefined): EventBody {
  return { type: 'message.added', message: closed(message), ...(supersedes !== undefined && { supersedes }) };
}

/** Marks a reply that is streaming as interrupted: no run continues it in the new log. */
function closed(message: Message): Message {
  return message.status === 'streaming' ? { ...message, status: 'interrupted' } : message;
}
