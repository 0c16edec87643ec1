import { defined, isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ToolDetails, ToolPart } from '../../core/model/message.ts';
import type { Edit } from './edits.ts';
import type { Change } from './workspace.ts';

export const writeName = 'write_file';
export const patchName = 'patch_file';

/** What a call that changes a file asks for. */
export type ChangeRequest =
  | { readonly type: 'write'; readonly path: string; readonly content: string; readonly hash: string | undefined }
  | { readonly type: 'patch'; readonly path: string; readonly edits: readonly Edit[]; readonly hash: string };

/** What a call that changed a file has returned. */
export interface ChangeResult {
  readonly path: string;
  readonly hash: string;
  readonly bytes: number;
  /** Hash of the file before; missing for a new file. */
  readonly replaced?: string;
  /** Where each edit of a patch began. */
  readonly at?: readonly number[];
}

/** Returns what a call asks for, with the input that a person may have edited; `undefined` for a call of another tool. */
export function requestOf(call: ToolPart): ChangeRequest | undefined {
  const input: JsonObject = call.editedInput ?? call.input ?? {};
  if (call.name === writeName) return toWrite(input);
  return call.name === patchName ? toPatch(input) : undefined;
}

export function toWrite({ path, content, hash }: JsonObject): Extract<ChangeRequest, { type: 'write' }> | undefined {
  if (typeof path !== 'string' || typeof content !== 'string') return undefined;
  return { type: 'write', path, content, hash: typeof hash === 'string' ? hash : undefined };
}

export function toPatch({ path, hash, edits }: JsonObject): Extract<ChangeRequest, { type: 'patch' }> | undefined {
  if (typeof path !== 'string' || typeof hash !== 'string' || !Array.isArray(edits)) return undefined;
  const listed: readonly Json[] = edits;
  const read = listed.filter(isEdit);
  return read.length === listed.length ? { type: 'patch', path, hash, edits: read } : undefined;
}

export function toResult(path: string, { before, after }: Change): ChangeResult {
  return { path, hash: after?.hash ?? '', bytes: after?.bytes ?? 0, ...defined({ replaced: before?.hash }) };
}

export function resultOf({ output }: ToolPart): ChangeResult | undefined {
  if (!isJsonObject(output)) return undefined;
  const { path, hash, bytes, replaced, at } = output;
  if (typeof path !== 'string' || typeof hash !== 'string' || typeof bytes !== 'number') return undefined;
  const places: readonly Json[] = Array.isArray(at) ? at : [];
  return {
    path,
    hash,
    bytes,
    ...(typeof replaced === 'string' && { replaced }),
    ...(Array.isArray(at) && { at: places.filter((place) => typeof place === 'number') }),
  };
}

/** Returns edits as one diff: the replaced texts, and the new ones. */
export function diffOf(path: string, edits: readonly Edit[]): ToolDetails {
  return {
    type: 'diff',
    filePath: path,
    oldContent: edits.map((edit) => edit.old_text).join('\n'),
    newContent: edits.map((edit) => edit.new_text).join('\n'),
  };
}

function isEdit(value: Json): value is { readonly old_text: string; readonly new_text: string } {
  return isJsonObject(value) && typeof value.old_text === 'string' && typeof value.new_text === 'string';
}
