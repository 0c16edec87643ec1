import type { Json, JsonObject } from '../../core/json.ts';
import { toObject } from '../../core/model/read-json.ts';

/** Returns the opaque data of one wire in a part's `provider`, to be sent back; data of other wires is ignored. */
export function providerData(provider: Json | undefined, wire: string): JsonObject {
  return toObject(toObject(provider)[wire]);
}
