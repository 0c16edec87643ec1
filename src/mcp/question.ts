import { foreignSchema } from '../core/tools/foreign-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toWebAddress } from '../core/model/web-address.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { excerpt } from './errors.ts';

/** Field of `approval.elicitation` with what the answer is sent back with. In the log, so that any tab can send the answer after a reload. */
const field = 'x-mcp';

/** What a server asked in the midst of a call, and the answers so far. */
export interface Asked {
  /** The server's requests by its own keys, in order. */
  readonly requests: readonly Request[];
  /** The answers to the first requests. */
  readonly responses: readonly JsonObject[];
  /** Opaque: belongs to the server, which gets it back with the answers. */
  readonly state?: string;
  /** Whether the connection that asked waits for the answer (revisions with a session). */
  readonly live?: boolean;
  /** How often the server has asked within this call. */
  readonly round: number;
}

interface Request {
  readonly key: string;
  readonly params: JsonObject;
}

/** Who asks, for the person. */
export interface Asker {
  readonly name: string;
  readonly host: string;
}

const maxRounds = 10;
/** Characters of all that has to be kept for one question. */
const maxKept = 262_144;

/**
 * Reads a result that requires input.
 *
 * @throws Error for a request that is not a question to the person, and for a server that asks too often
 */
export function readQuestions(result: JsonObject, round: number, { host }: Asker): Asked {
  const requests = Object.entries(toObject(result.inputRequests)).map(([key, request]) => {
    const { method, params } = toObject(request);
    if (method !== 'elicitation/create')
      throw new Error(`${host} asked this page for ${excerpt(method, 60)}, which this page does not offer to servers.`);
    return { key, params: toObject(params) };
  });
  const state = result.requestState;
  return checkAsked({ requests, responses: [], round, ...(typeof state === 'string' ? { state } : {}) }, host);
}

/** @throws Error for a server that asks too much, or too often */
export function checkAsked(asked: Asked, host: string): Asked {
  if (asked.round > maxRounds)
    throw new Error(`${host} asked more than ${maxRounds} times within one call: it was stopped.`);
  if (JSON.stringify(asked).length > maxKept)
    throw new Error(`${host} asked with more than ${maxKept} characters: it was stopped.`);
  return asked;
}

/** Returns the JSON Schema of the answer to the next question: `approval.elicitation` of the call. */
export function toElicitation(asked: Asked, asker: Asker): JsonObject {
  const { params = {} } = asked.requests[asked.responses.length] ?? {};
  const kept: JsonObject = { ...asked, requests: asked.requests.map((request) => ({ ...request })) };
  const from = `Asked by the MCP server ${asker.name} (${asker.host}).`;
  const title = excerpt(params.message, 2_000);
  if (params.mode === 'url') {
    const url = checkUrl(params.url, asker);
    const description = `${from} Open ${url} and answer yes when you are done there.`;
    return { title, description, type: 'boolean', [urlField]: url, [field]: kept };
  }
  const schema = foreignSchema(toObject(params.requestedSchema));
  return { ...schema, type: 'object', title, description: from, [field]: kept };
}

/** Field of `approval.elicitation` with the address that the person is asked to open. */
const urlField = 'x-mcp-url';

/** @throws Error for an address that a page must not open */
function checkUrl(given: Json | undefined, { host }: Asker): string {
  const url = toWebAddress(toText(given));
  if (url === undefined)
    throw new Error(`${host} asked the person to open an address that is not https: it was refused.`);
  return url;
}

/** Returns what `toElicitation` has kept, `undefined` for the elicitation of another tool. */
export function readAsked(elicitation: JsonObject | undefined): Asked | undefined {
  const kept = elicitation?.[field];
  if (!isJsonObject(kept)) return undefined;
  const { requests, responses, state, live, round } = kept;
  return {
    requests: toList(requests).map((request) => {
      const { key, params } = toObject(request);
      return { key: toText(key), params: toObject(params) };
    }),
    responses: toList(responses).map(toObject),
    round: Number(round),
    ...(typeof state === 'string' ? { state } : {}),
    ...(live === true ? { live } : {}),
  };
}

/** Adds the answer of the person. `null` declines: the server is notified, and continues without the answer. */
export function withAnswer(asked: Asked, answer: Json | undefined): Asked {
  const { params = {} } = asked.requests[asked.responses.length] ?? {};
  return { ...asked, responses: [...asked.responses, toResponse(params, answer)] };
}

function toResponse({ mode, requestedSchema }: JsonObject, answer: Json | undefined): JsonObject {
  if (mode === 'url') return { action: answer === true ? 'accept' : 'decline' };
  if (!isJsonObject(answer)) return { action: 'decline' };
  const properties = Object.entries(toObject(toObject(requestedSchema).properties));
  const defaults = properties.flatMap(([name, property]) => {
    const value = toObject(property).default;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { action: 'accept', content: { ...Object.fromEntries(defaults), ...answer } };
}

export function isAnswered({ requests, responses }: Asked): boolean {
  return responses.length >= requests.length;
}

/** Returns the parameters with which a call is repeated once all questions are answered. */
export function toRetry({ requests, responses, state }: Asked): JsonObject {
  const inputResponses = Object.fromEntries(requests.map(({ key }, index) => [key, responses[index]]));
  return {
    ...(requests.length > 0 ? { inputResponses } : {}),
    ...(state === undefined ? {} : { requestState: state }),
  };
}

/** Whether two questions are the same, so that the answer to one answers the other. */
export function isSameQuestion(one: Asked, other: Asked): boolean {
  const paramsOf = ({ requests }: Asked): string => JSON.stringify(requests.map(({ params }) => params));
  return paramsOf(one) === paramsOf(other);
}
