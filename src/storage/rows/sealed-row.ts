import type { CodecBytes } from '../codec.ts';
import { isJsonObject } from '../../core/json.ts';

/** The encrypted part of a row. Fields beside it are those that keys and indexes need. */
export interface SealedPart {
  /** `id` of the codec. */
  readonly codec: string;
  readonly sealed: CodecBytes;
}

/** Whether a codec has encrypted the row. Invariant: no row of a store without a codec has a field of this name. */
export function isSealed(row: unknown): row is SealedPart {
  return isJsonObject(row) && 'sealed' in row;
}
