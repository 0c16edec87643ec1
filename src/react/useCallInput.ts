import { useState } from 'react';
import type { JsonObject } from '../core/json.ts';
import type { ToolPart } from '../core/model/message.ts';
import { createPartialJsonReader } from '../core/model/partial-json.ts';

/**
 * A call's input, as far as it has come: see `createPartialJsonReader`. To show it, not to act on it.
 *
 *     const { path, content } = useCallInput(call) ?? {};
 */
export function useCallInput({ callId, input, inputText }: ToolPart): JsonObject | undefined {
  const [reader, setReader] = useState(() => begin(callId));
  // Another call, or a picture of an earlier moment: a reader does not go back.
  if (reader.callId !== callId) setReader(begin(callId));
  return input ?? reader.read(inputText);
}

function begin(callId: string): {
  readonly callId: string;
  readonly read: (inputText: string) => JsonObject | undefined;
} {
  return { callId, read: createPartialJsonReader() };
}
