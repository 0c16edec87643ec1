import type { Json, JsonObject } from '../../../core/json.ts';
import { toList, toObject } from '../../../core/model/read-json.ts';

/**
 * Adds the cache marks to a body for `/v1/messages`: at the tools, at the instructions, and at the two newest user turns, results
 * included. The older of these two is the newest of the request before, so the cache is found however much was added since (the service
 * looks back 20 blocks). Four marks are the most that the service accepts. Only blocks of a user are marked: marked thinking and empty
 * texts are refused.
 *
 * Tools of providers (`type`) keep their shape. A mark among the caller's own parameters replaces all of these.
 *
 * @param own the caller's `providerParams`
 */
export function withCacheMarks(body: JsonObject, own: JsonObject | undefined): JsonObject {
  if (JSON.stringify(own)?.includes('"cache_control"')) return body;
  const { tools, system, messages } = body;
  const turns = toList(messages);
  const marked = turns.flatMap((turn, index) => (toObject(turn).role === 'user' ? index : [])).slice(-2);
  return {
    ...body,
    ...(tools !== undefined && { tools: markLast(tools) }),
    ...(system !== undefined && { system: markLast(system) }),
    messages: turns.map((turn, index) =>
      marked.includes(index) ? { ...toObject(turn), content: markLast(toObject(turn).content) } : turn,
    ),
  };
}

function markLast(list: Json | undefined): Json {
  const blocks = toList(list);
  return [...blocks.slice(0, -1), ...blocks.slice(-1).map(mark)];
}

function mark(block: Json): Json {
  return { ...toObject(block), cache_control: { type: 'ephemeral' } };
}
