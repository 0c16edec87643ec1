import { allowInsecureRequests, customFetch, type CustomFetchOptions, type HttpRequestOptions } from 'oauth4webapi';
import type { JsonObject } from '../../core/json.ts';
import { Trouble } from '../errors.ts';
import { parseMessage, readAll } from '../read-body.ts';
import { checkAddress, isThisMachine } from './address.ts';
import { signInError } from './problem.ts';

export type Fetch = typeof globalThis.fetch;

/** Options of the library for a form, and for JSON. */
type PostOptions = HttpRequestOptions<'POST', URLSearchParams> & HttpRequestOptions<'POST', string>;

/** Largest body of an answer, in bytes. */
const maxBytes = 262_144;

/** A request has no cookies, and goes to the address that was checked only. The library has `manual`, which a browser answers without a status. */
const careful = { credentials: 'omit', redirect: 'error' } as const;

/** Reads the JSON object at an address. Resolves with `undefined` where there is none. Rejects with MCPError. */
export async function getJson(fetch: Fetch, address: string): Promise<JsonObject | undefined> {
  const response = await fetch(checkAddress(address), careful).catch(() => undefined);
  return response?.ok ? readJson(address, response) : undefined;
}

/**
 * Returns options for a POST of the library to a checked address, whose answer is read within the bound of a body.
 *
 * @param success the one status that the library takes for success
 * @param defaults fields that the library requires, where the answer has none
 */
export function postOptions(fetch: Fetch, address: string, success: 200 | 201, defaults: JsonObject = {}): PostOptions {
  return {
    // oxlint-disable-next-line typescript/no-deprecated -- `checkAddress` allows http on this machine only
    [allowInsecureRequests]: isThisMachine(new URL(address)),
    async [customFetch](
      url: string,
      { method, headers, body }: CustomFetchOptions<'POST', URLSearchParams | string>,
    ): Promise<Response> {
      const response = await fetch(url, { method, headers, body, ...careful }).catch(() => {
        throw signInError(`${url} cannot be reached, or does not let this page read it (CORS).`);
      });
      const answer = withoutUnused(await readJson(url, response));
      // GitHub refuses with status 200; other servers answer 200 where the library takes 201 only, or the reverse.
      const isRefused = !response.ok || typeof answer.error === 'string';
      const missing = isRefused ? { error: `status ${response.status}` } : defaults;
      return toResponse({ ...missing, ...answer }, isRefused ? 400 : success);
    },
  };
}

/** Returns JSON as the response that the library takes. */
export function toResponse(json: JsonObject, status = 200): Response {
  return new Response(JSON.stringify(json), { status, headers: { 'content-type': 'application/json' } });
}

/**
 * Leaves out fields that are null or empty, which many servers send for absent ones, and an ID token: the page does not use it, and the
 * library would refuse a sign-in by the clock of the device or the algorithm of the signature.
 */
function withoutUnused(answer: JsonObject): JsonObject {
  const used = Object.entries(answer).filter(([name, value]) => value !== null && value !== '' && name !== 'id_token');
  return Object.fromEntries(used);
}

async function readJson(address: string, response: Response): Promise<JsonObject> {
  try {
    return parseMessage(await readAll({ stream: response.body, maxBytes }));
  } catch (error) {
    const isLarge = error instanceof Trouble && error.problem === 'too-large';
    throw signInError(
      isLarge
        ? `${address} answered with more than ${maxBytes} bytes. Its owner must make the answer smaller.`
        : `${address} answered ${response.status} with something that is not a JSON object. Its owner must correct the answer.`,
    );
  }
}
