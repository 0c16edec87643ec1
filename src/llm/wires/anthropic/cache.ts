import type { Json, JsonObject } from '../../../core/json.ts';
import { toList, toObject } from '../../../core/model/read-json.ts';

/**
 * Marks in a body for `/v1/messages` up to where the service may keep it for the next request: the tools, the instructions, and the two
 * newest turns of the user, results included. The older of the two is the newest of the request before, so that it is found however
 * much has been said since (the service looks back 20 blocks). These are four marks, which is as many as it takes; only blocks of a
 * user are marked, for it refuses to have thoughts and empty texts marked.
 *
 * Tools of providers (`type`) keep their shape, and one of the caller's own marks means that the caller knows better: then none is added.
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
