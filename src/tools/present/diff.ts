import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { ToolDetails } from '../../core/model/message.ts';
import type { PresentableOutput } from '../../core/tools/tool-types.ts';
import { textAt } from './fields.ts';
import { truncate } from './truncate.ts';

const oldKeys = ['oldstring', 'oldstr', 'oldcontent', 'oldtext', 'search'];
const newKeys = ['newstring', 'newstr', 'newcontent', 'newtext', 'inserttext', 'replace', 'replacement'];

/** Returns the replaced and the new text of an edit; the texts of several edits are joined by line breaks. */
export function toEditDiff(input: JsonObject, path = ''): ToolDetails | undefined {
  const edits: readonly unknown[] = Array.isArray(input.edits) ? input.edits : [input];
  const pairs = edits.filter(isJsonObject).map((edit) => [textAt(edit, oldKeys), textAt(edit, newKeys)] as const);
  if (!pairs.some(([before, after]) => before !== undefined || after !== undefined)) return undefined;
  return diff(path, pairs.map(([before = '']) => before).join('\n'), pairs.map(([, after = '']) => after).join('\n'));
}

/** Returns the whole content of a file before and after a call that writes the file. */
export function toFileDiff(input: JsonObject, output: PresentableOutput, path = ''): ToolDetails | undefined {
  const content = textAt(input, ['content', 'contents', 'filetext', 'text', 'newcontent']);
  const before = isJsonObject(output) ? textAt(output, ['originalfile', 'oldcontent']) : undefined;
  return content === undefined ? undefined : diff(path, before ?? '', content);
}

const diff = (filePath: string, oldContent: string, newContent: string): ToolDetails => ({
  type: 'diff',
  filePath,
  oldContent: truncate(oldContent),
  newContent: truncate(newContent),
});
