import type { ToolSpec } from '../../core/model/settings.ts';
import { hash } from '../../core/model/hash.ts';

/** Returns a tool name that every provider accepts, whatever name the model invented. */
export function toToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || '_';
}

/** Returns the names of the tools of a request, as a service may state them in a call. */
export function toolNames(tools: readonly ToolSpec[] = []): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name }) => [name, toToolName(name)]));
}

/** Returns an id that services accept (`short`: nine letters and digits). The same id always results in the same wire id. */
export function toWireId(callId: string, short = false): string {
  if ((short ? /^[a-z\d]{9}$/i : /^[\w-]{1,40}$/).test(callId)) return callId;
  return hash(callId);
}
