import type { ErrorInfo } from '../core/error.ts';
import { defined, type Json } from '../core/json.ts';
import { isToolPart, type Message, type Part } from '../core/model/message.ts';
import type { LLMChunk, LLMRequest } from '../core/model/llm.ts';
import { redact as withoutKeys } from '../llm/transport/redact.ts';

/** A request as a fixture has it: what the model reads, without the ids and times that are new in each session. */
export interface FixtureRequest extends Omit<LLMRequest, 'sessionId' | 'promptId' | 'messages'> {
  readonly messages: readonly Pick<Message, 'role' | 'content'>[];
}

/** A request and its answer. */
export interface Exchange {
  readonly request: FixtureRequest;
  readonly chunks: readonly LLMChunk[];
  /** Why the answer failed; missing for a complete answer. */
  readonly error?: ErrorInfo;
  /** Whether the agent cancelled the request before the answer was complete. */
  readonly isCancelled?: true;
}

/** The requests and answers of a real run, as JSON: a file for `createRecordedClient`. */
export interface Fixture {
  readonly format: 'brooklet-fixture';
  readonly version: 1;
  /** In the order of the requests. */
  readonly exchanges: readonly Exchange[];
}

/** What is removed from a fixture. `createRecordedClient` needs the same options as `record`. */
export interface FixtureOptions {
  /** Texts that must not be in the fixture: keys, names. Everything that looks like a key is removed without being named. */
  readonly secrets?: readonly string[];
  /** Returns a text as the fixture may have it; called with every text, keys already removed. Default: unchanged. */
  readonly redact?: (text: string) => string;
}

/** Returns a value with every text redacted, names of fields included. */
export function redacted<T>(value: T, { secrets = [], redact = (text) => text }: FixtureOptions): T {
  const clean = (text: string): string => redact(withoutKeys(text, secrets));
  const copy: T = JSON.parse(JSON.stringify(value), (_key, inner: Json) => {
    if (typeof inner === 'string') return clean(inner);
    return inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).map(([key, field]) => [clean(key), field]))
      : inner;
  });
  return copy;
}

export function toFixtureRequest(request: LLMRequest, options: FixtureOptions): FixtureRequest {
  const { sessionId: _sessionId, promptId: _promptId, messages, ...rest } = request;
  const output = rest.output && { name: rest.output.name, schema: rest.output.schema, strict: rest.output.strict };
  const stable = messages.map(({ role, content }) => ({ role, content: content.map(withoutIds) }));
  return redacted({ messages: stable, ...rest, ...defined({ output }) }, options);
}

/** Returns a part without what is new in each session. The input and the output of a call are kept whole. */
function withoutIds(part: Part): Part {
  if (part.type === 'reasoning') {
    const { startedAt: _startedAt, durationMs: _durationMs, ...kept } = part;
    return kept;
  }
  if (!isToolPart(part)) return part;
  const { startedAt: _startedAt, durationMs: _durationMs, approval, ...kept } = part;
  const { expiresAt: _expiresAt, ...terms } = approval ?? {};
  return { ...kept, callId: '', ...(approval && { approval: terms }) };
}

/** Returns chunks with the pieces of one text joined: how a network cut them does not matter. */
export function joinChunks(chunks: readonly LLMChunk[]): readonly LLMChunk[] {
  const joined: LLMChunk[] = [];
  for (const chunk of chunks) {
    const last = joined.at(-1);
    const longer = last && join(last, chunk);
    if (longer) joined[joined.length - 1] = longer;
    else joined.push(chunk);
  }
  return joined;
}

function join(one: LLMChunk, other: LLMChunk): LLMChunk | undefined {
  if (one.type === 'text' && other.type === 'text') return { ...one, text: one.text + other.text };
  if (one.type === 'reasoning' && other.type === 'reasoning' && one.provider === undefined)
    return { ...other, text: one.text + other.text };
  if (one.type === 'call' && other.type === 'call' && one.index === other.index)
    return { ...one, text: one.text + other.text };
  return undefined;
}
