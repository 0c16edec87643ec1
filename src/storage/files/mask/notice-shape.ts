import { isJsonObject } from '../../../core/json.ts';
import type { Fields } from '../../../core/model/shapes/fields.ts';
import { count, flag, maybe, object, type Shape } from '../../../core/model/shapes/shape.ts';
import type { MaskNotice } from './options.ts';

const notice = object({
  attachments: flag,
  toolOutputs: flag,
  instructions: flag,
  patterns: count(),
} satisfies Fields<MaskNotice>);

/** The notice in the header of a file; missing in the header of a complete session. */
export const maskNotice: Shape = maybe(notice);

export function isNotice(value: unknown): value is MaskNotice {
  return isJsonObject(value) && notice(value, '') === undefined;
}
