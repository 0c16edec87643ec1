import { eventVersion, type SessionEvent, type SessionWrite } from 'brooklet/core';

/** A text event at a `seq`. */
export function textAt(seq: number, text = `text ${seq}`): SessionEvent {
  return { type: 'text.delta', text, seq, at: 1000 + seq, v: eventVersion };
}

/** A write of one event behind `expectedSeq`, with ids of a lineage. */
export function writeAt(
  sessionId: string,
  expectedSeq: number,
  text = 'hello',
  more: Partial<SessionWrite> = {},
): SessionWrite {
  const seq = expectedSeq + 1;
  return {
    sessionId,
    expectedSeq,
    events: [textAt(seq, text)],
    writeId: `log/${seq}`,
    ...(expectedSeq > 0 && { expectedWriteId: `log/${expectedSeq}` }),
    summary: {
      id: sessionId,
      title: `Session ${sessionId}`,
      createdAt: 1000,
      updatedAt: 1000 + seq,
      status: 'idle',
      messageCount: seq,
      usage: { input: 0, output: 0 },
      seq,
    },
    durability: 'relaxed',
    ...more,
  };
}
