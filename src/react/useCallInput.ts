import { useState } from 'react';
import type { JsonObject } from '../core/json.ts';
import type { ToolPart } from '../core/model/message.ts';
import { createPartialJsonReader } from '../core/model/partial-json.ts';

/**
 * Returns the input of a call while the input streams, parsed as far as possible (see `createPartialJsonReader`);
 * `undefined` while nothing can be parsed. The input is incomplete: show it, do not act on it.
 *
 *     const { path, content } = useCallInput(call) ?? {};
 */
export function useCallInput({ callId, input, inputText }: ToolPart): JsonObject | undefined {
  const [reader, setReader] = useState(() => createReader(callId));
  // A reader only reads forward, so another call needs its own reader.
  if (reader.callId !== callId) setReader(createReader(callId));
  return input ?? reader.read(inputText);
}

function createReader(callId: string): {
  readonly callId: string;
  readonly read: (inputText: string) => JsonObject | undefined;
} {
  return { callId, read: createPartialJsonReader() };
}
