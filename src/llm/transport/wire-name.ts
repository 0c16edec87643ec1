import { hash } from '../../core/model/hash.ts';

/** Returns a tool name that every provider accepts, whatever name the model invented. */
export function toToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || '_';
}

/** Returns an id that services accept (`short`: nine letters and digits). The same id always results in the same wire id. */
export function toWireId(callId: string, short = false): string {
  if ((short ? /^[a-z\d]{9}$/i : /^[\w-]{1,40}$/).test(callId)) return callId;
  return hash(callId);
}
