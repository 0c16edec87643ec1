import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { hash } from '../core/model/hash.ts';
import { toObject, toText } from '../core/model/read-json.ts';
import { isSideChain } from './claude-code-lines.ts';
import { hasEventsOnly } from './codex-lines.ts';
import type { Conversation } from './conversation.ts';
import { type HistoryFormat, lineFormatOf } from './formats.ts';
import { createItemReader } from './items.ts';
import { createTally } from './tally.ts';

/** The lines of one conversation. */
export interface LineGroup {
  /** Id of the session that the lines state; empty without one. */
  readonly key: string;
  readonly lines: readonly JsonObject[];
}

/** Sorts lines by their conversation. */
export interface LineGroups {
  add(line: JsonObject): void;
  readonly groups: () => readonly LineGroup[];
  /** The program that wrote the lines. */
  readonly format: () => HistoryFormat;
}

/**
 * Creates an empty list of groups. A line without an id of a session belongs to the session of the line before; the first lines, to the first
 * session.
 */
export function createLineGroups(): LineGroups {
  const byKey = new Map<string, { readonly key: string; readonly lines: JsonObject[] }>();
  const first: JsonObject[] = [];
  let format: HistoryFormat | undefined;
  let latest = '';
  return {
    add(line) {
      format ??= lineFormatOf(line);
      latest = keyOf(line) || latest;
      const lines = latest === '' ? first : (byKey.get(latest)?.lines ?? (byKey.size === 0 ? first : []));
      if (latest !== '') byKey.set(latest, { key: latest, lines });
      lines.push(line);
    },
    groups: () => (byKey.size > 0 ? [...byKey.values()] : [{ key: '', lines: first }]),
    format: () => format ?? 'messages',
  };
}

/** Returns the id of the session that a line states: each program has its own name for it. */
function keyOf({
  sessionId,
  session_id: streamId,
  thread_id: threadId,
  type,
  payload,
  isSidechain,
  agentId,
}: JsonObject): string {
  if (type === 'session_meta') return toText(toObject(payload).id);
  const id = toText(sessionId) || toText(streamId) || (type === 'thread.started' ? toText(threadId) : '');
  // A file of a sub-agent states the session of its agent.
  return isSidechain === true && typeof agentId === 'string' ? `${id}-${agentId}` : id;
}

/** A conversation that is made of lines, one after the other. */
export interface LineReader {
  add(line: JsonObject): void;
  end(): Conversation;
}

/** Creates a reader of the lines of one conversation. */
export function createLineReader({ key, lines }: LineGroup, now: number): LineReader {
  const tally = createTally();
  const isOnlySide = isOfSubAgent(lines);
  const reader = createItemReader(tally, { now, takesSideChains: isOnlySide, takesEvents: hasEventsOnly(lines) });
  const uuids = new Set(lines.map(({ uuid }) => toText(uuid)));
  let sum = '';
  let title = '';
  return {
    add(line) {
      if (key === '') sum = hash(sum + JSON.stringify(line));
      title = titleIn(line, uuids) || title;
      reader.add(line);
    },
    end: () => ({
      id: key || sum,
      ...(title && { title }),
      turns: reader.transcript.turns(),
      leftOut: tally.leftOut(),
    }),
  };
}

/** Whether all messages are those of a sub-agent: the file is its own. */
export function isOfSubAgent(lines: readonly Json[]): boolean {
  const said = lines.filter((line) => isJsonObject(toObject(line).message));
  return said.length > 0 && said.every(isSideChain);
}

/** Returns the title that a line of Claude Code gives to its session. A summary may be that of another session. */
function titleIn({ type, customTitle, aiTitle, summary, leafUuid }: JsonObject, uuids: ReadonlySet<string>): string {
  if (type === 'custom-title' || type === 'ai-title') return toText(customTitle) || toText(aiTitle);
  return type === 'summary' && uuids.has(toText(leafUuid)) ? toText(summary) : '';
}
