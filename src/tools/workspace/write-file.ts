import type { JsonObject } from '../../core/json.ts';
import { defineTool } from '../../core/tools/define-tool.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { textOf } from '../input.ts';
import { type ChangeResult, toResult, toWrite, writeName } from './calls.ts';
import type { Version } from './content.ts';
import { hashDescription, pathInput } from './inputs.ts';
import { changeFile, expectVersion, type Workspace } from './workspace.ts';
import { mark } from '../trust/mark.ts';

export function writeFileTool(workspace: Workspace, needsApproval: (path: string) => boolean): Tool {
  /** What was replaced, by the input of the call: `present` puts it into the log, where the model does not read it. */
  const replaced = new WeakMap<JsonObject, string>();

  const tool = defineTool({
    name: writeName,
    description:
      'Writes a whole text file of the workspace: a new file, or with `hash` in the place of the file that was read. Use patch_file to change parts of a file.',
    input: {
      type: 'object',
      properties: {
        path: pathInput,
        content: { type: 'string' },
        hash: { type: 'string', maxLength: 64, description: `Only to replace a file. ${hashDescription}` },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    exclusive: true,
    needsApproval: (input) => needsApproval(textOf(input, 'path')),
    async execute(input, { signal }): Promise<ChangeResult> {
      const request = toWrite(input);
      if (request === undefined) throw new TypeError('path and content must be text.');
      const { path, content, hash } = request;
      const change = await changeFile(workspace, path, signal, (current) => {
        checkReplaced(current, path, hash);
        return content;
      });
      if (change.before) replaced.set(input, change.before.text);
      return toResult(path, change);
    },
    present(input) {
      const { path = '', content = '', hash } = toWrite(input) ?? {};
      return {
        summary: `${hash === undefined ? 'Created' : 'Replaced'} ${path}`,
        details: { type: 'diff', filePath: path, oldContent: replaced.get(input) ?? '', newContent: content },
      };
    },
  });
  return mark(tool, { trusted: true });
}

function checkReplaced(current: Version | undefined, path: string, hash: string | undefined): void {
  if (hash !== undefined) expectVersion(current, path, hash);
  else if (current)
    throw new Error(`Nothing was written: ${path} exists already. Read it, and pass its hash to replace it.`);
}
