import { hash } from '../../core/model/hash.ts';

/** A name as every provider takes it, though a model may have made it up. */
export function toToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || '_';
}

/** An id as services take it (`short`: nine letters and digits); the same id always gives the same one. */
export function toWireId(callId: string, short = false): string {
  if ((short ? /^[a-z\d]{9}$/i : /^[\w-]{1,40}$/).test(callId)) return callId;
  return hash(callId);
}
