import { useState } from 'react';
import type { JsonObject } from '../core/json.ts';
import { extractTextContent } from '../core/model/message.ts';
import { createPartialJsonReader } from '../core/model/partial-json.ts';
import type { OutputSpec } from '../core/model/settings.ts';
import type { AgentSession } from '../core/session/session.ts';
import type { Output } from '../llm/output/output.ts';
import { useObservable } from './useObservable.ts';

/** A typed answer as far as it has arrived. */
export type PartialOutput<Value> = Value extends readonly (infer Item)[]
  ? readonly PartialOutput<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: PartialOutput<Value[Key]> }
    : Value;

/**
 * Returns the last answer with this output as far as it has arrived; `undefined` while nothing can be parsed. The object is not validated:
 * show it, and pass the complete message to `output.read`.
 *
 *     const { name, people } = useOutput(session, city) ?? {};
 */
export function useOutput<Value>(
  session: AgentSession | undefined,
  output: Output<Value>,
): PartialOutput<Value> | undefined;
export function useOutput(session: AgentSession | undefined, { name }: OutputSpec): JsonObject | undefined {
  const answer = useObservable(session?.messages$, () =>
    session?.getMessages().findLast(({ settings }) => settings?.output?.name === name),
  );
  const id = answer?.id;
  const [reader, setReader] = useState(() => ({ id, read: createPartialJsonReader() }));
  // A reader only reads forward, so another answer needs its own reader.
  if (reader.id !== id) setReader({ id, read: createPartialJsonReader() });
  return answer && reader.id === id ? reader.read(extractTextContent(answer)) : undefined;
}
