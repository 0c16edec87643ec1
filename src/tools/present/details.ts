import { isJsonObject } from '../../core/json.ts';
import type { MediaPart, ToolDetails } from '../../core/model/message.ts';
import { isParts } from '../../core/model/tool-result.ts';
import type { PresentableOutput } from '../../core/tools/tool-types.ts';
import { textAt, valueAt } from './fields.ts';
import { maxDetailsLength, truncate } from './truncate.ts';

/** Returns the details of a command: its streams and exit code, from structured output or from text. */
export function toCommandOutput(output: PresentableOutput, isError: boolean): ToolDetails {
  if (isJsonObject(output)) {
    const code = valueAt(output, ['exitcode', 'code', 'returncode', 'status']);
    const stdout = textAt(output, ['stdout', 'output', 'aggregatedoutput']);
    const stderr = textAt(output, ['stderr']);
    if (stdout !== undefined || stderr !== undefined || typeof code === 'number') {
      const exitCode = typeof code === 'number' ? code : Number(isError);
      return { type: 'commandOutput', stdout: truncate(stdout ?? ''), stderr: truncate(stderr ?? ''), exitCode };
    }
  }
  const text = truncate(toText(output));
  if (!isError) return { type: 'commandOutput', stdout: text, stderr: '', exitCode: 0 };
  // Claude Code and Gemini CLI write the exit code in this form.
  const exitCode = Number(/^exit code:?\s+(-?\d+)/im.exec(text)?.[1] ?? 1);
  return { type: 'commandOutput', stdout: '', stderr: text, exitCode };
}

/**
 * Returns the files that an output lists.
 *
 * @param strict whether each line of text must look like a path; otherwise each line counts as a path
 */
export function toFileList(output: PresentableOutput, strict: boolean): ToolDetails | undefined {
  const listed = isJsonObject(output) ? valueAt(output, ['files', 'filenames', 'paths', 'matches']) : output;
  if (isTexts(listed)) return { type: 'fileList', files: listed };
  const text = typeof output === 'string' || isParts(output) ? toText(output) : '';
  if (/^no (files|matches) found/i.test(text)) return { type: 'fileList', files: [] };
  const lines = text.split('\n').map((line) => line.trim());
  const files = lines.filter((line) => line !== '');
  if (files.length === 0 || text.length > maxDetailsLength) return undefined;
  return strict && !files.every((file) => /^[^\s:]*[./][^\s:]*$/.test(file)) ? undefined : { type: 'fileList', files };
}

/** Returns details from the type of the output alone. JSON above `maxDetailsLength` becomes truncated text. */
export function toDetails(output: PresentableOutput): ToolDetails | undefined {
  if (output === undefined || output === null || output === '') return undefined;
  if (typeof output === 'string') return { type: 'text', text: truncate(output) };
  if (isParts(output)) {
    const image = output.find((part): part is MediaPart => part.type === 'image');
    if (image === undefined) return toDetails(toText(output));
    const { mediaType, data, url } = image;
    return { type: 'image', mediaType, ...(data !== undefined && { data }), ...(url !== undefined && { url }) };
  }
  const text = JSON.stringify(output);
  return text.length > maxDetailsLength ? { type: 'text', text: truncate(text) } : { type: 'json', value: output };
}

/** Returns the text of an output: unlike the text for the model, without placeholders for media. */
function toText(output: PresentableOutput): string {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string') return output;
  if (!isParts(output)) return JSON.stringify(output);
  return output.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
