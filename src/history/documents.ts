import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import type { LineGroup } from './lines.ts';

/** A document with the messages of one conversation. */
export interface MessageDocument extends LineGroup {
  readonly title: string;
  readonly isGeminiCli: boolean;
}

/**
 * Returns the messages of a document that contains one conversation: a request, a line of a training file, a topic of LobeChat, a saved
 * session of Gemini CLI (`messages`), or one of its checkpoints (`history`); `undefined` for another value.
 */
export function messagesIn(value: JsonObject): MessageDocument | undefined {
  const list = value.messages ?? value.history;
  if (!Array.isArray(list)) return undefined;
  const { sessionId, title, name, id } = value;
  const isGeminiCli = value.projectHash !== undefined || value.history !== undefined;
  const messages = toList(list).map(toObject);
  // A request to Anthropic states the instructions beside the messages.
  const system = toText(value.system);
  const instructions: readonly JsonObject[] = system === '' ? [] : [{ role: 'system', content: system }];
  const lines = [...instructions, ...messages];
  return { key: toText(sessionId) || toText(id), title: toText(title) || toText(name), isGeminiCli, lines };
}

/** Returns the lines of a saved session of Gemini CLI, without records that a later one with the same id replaces. */
export function latestRecords(lines: readonly JsonObject[]): readonly JsonObject[] {
  if (!lines.some(({ type }) => type === 'gemini')) return lines;
  const latest = new Map<string, JsonObject>();
  for (const line of lines) if (isRecord(line)) latest.set(toText(line.id), line);
  const written = new Set<string>();
  const settled: JsonObject[] = [];
  for (const line of lines) {
    const id = toText(line.id);
    if (!isRecord(line)) settled.push(line);
    else if (!written.has(id)) settled.push(latest.get(id) ?? line);
    written.add(id);
  }
  return settled;
}

function isRecord({ id, type }: JsonObject): boolean {
  return typeof id === 'string' && id !== '' && (type === 'user' || type === 'gemini');
}

/** Whether a value is a list of messages. */
export function isMessageList(value: Json): value is readonly Json[] {
  return Array.isArray(value) && value.every(isJsonObject);
}
