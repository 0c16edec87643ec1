import type { AGUIEvent } from './event.ts';

/** Without its timestamp, which is that of the session event. */
export type Untimed<T = AGUIEvent> = T extends AGUIEvent ? Omit<T, 'timestamp'> : never;

type DeltaType = 'text.delta' | 'reasoning.delta';

/** Encodes the texts, reasoning and calls of replies. Invariant: whatever is opened is closed before something else of its kind opens. */
export interface ReplyEncoder {
  /** Begins a reply. `isContinued`: a snapshot has its beginning, so its rest becomes a message of its own. */
  begin(messageId: string, isContinued?: boolean): void;
  grow(type: DeltaType, delta: string): Generator<Untimed>;
  growCall(toolCallId: string, name: string, delta: string): Generator<Untimed>;
  endCall(toolCallId: string): Generator<Untimed>;
  isGrowing(toolCallId: string): boolean;
  /** Closes the text or reasoning that is open. */
  close(): Generator<Untimed>;
  /** Closes everything that is open. */
  closeAll(): Generator<Untimed>;
}

export function createReplyEncoder(): ReplyEncoder {
  let reply = '';
  /** AG-UI messages of the reply so far: each of its texts is a message of its own. */
  let messages = 0;
  let reasonings = 0;
  /** Id of the message that calls belong to; empty before the first one. */
  let parent = '';
  let open: { readonly type: DeltaType; readonly messageId: string } | undefined;
  /** Ids of calls whose input is not complete. */
  const growing = new Set<string>();

  function nextMessage(): string {
    parent = messages++ === 0 ? reply : `${reply}-${messages}`;
    return parent;
  }

  function* close(): Generator<Untimed> {
    if (open === undefined) return;
    const { type, messageId } = open;
    open = undefined;
    if (type === 'text.delta') yield { type: 'TEXT_MESSAGE_END', messageId };
    else {
      yield { type: 'REASONING_MESSAGE_END', messageId };
      yield { type: 'REASONING_END', messageId };
    }
  }

  function* start(type: DeltaType): Generator<Untimed> {
    yield* close();
    const messageId = type === 'text.delta' ? nextMessage() : `${reply}-thought-${++reasonings}`;
    open = { type, messageId };
    if (type === 'text.delta') yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
    else {
      yield { type: 'REASONING_START', messageId };
      yield { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' };
    }
  }

  function* endCall(toolCallId: string): Generator<Untimed> {
    if (growing.delete(toolCallId)) yield { type: 'TOOL_CALL_END', toolCallId };
  }

  return {
    close,
    endCall,
    isGrowing: (toolCallId) => growing.has(toolCallId),
    begin(messageId, isContinued = false) {
      reply = messageId;
      messages = isContinued ? 1 : 0;
      reasonings = isContinued ? 1 : 0;
      parent = '';
    },
    *grow(type, delta) {
      if (delta === '') return;
      if (open?.type !== type) yield* start(type);
      const messageId = open?.messageId ?? '';
      yield type === 'text.delta'
        ? { type: 'TEXT_MESSAGE_CONTENT', messageId, delta }
        : { type: 'REASONING_MESSAGE_CONTENT', messageId, delta };
    },
    *growCall(toolCallId, toolCallName, delta) {
      if (!growing.has(toolCallId)) {
        yield* close();
        growing.add(toolCallId);
        yield { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: parent || nextMessage() };
      }
      if (delta !== '') yield { type: 'TOOL_CALL_ARGS', toolCallId, delta };
    },
    *closeAll() {
      yield* close();
      for (const toolCallId of growing) yield* endCall(toolCallId);
    },
  };
}
