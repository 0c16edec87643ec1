import type { Json } from '../core/json.ts';
import { extractTextContent, type Part } from '../core/model/message.ts';
import { isParts } from '../core/model/tool-result.ts';

/** Returns the text of a tool's output: of a list of parts their text, of other values their JSON. */
export function outputText(output: Json | readonly Part[] | undefined): string {
  if (output === undefined) return '';
  if (isParts(output)) return extractTextContent(output);
  return typeof output === 'string' ? output : JSON.stringify(output);
}
