import { defineTool } from '../../core/tools/define-tool.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { textOf } from '../input.ts';
import { type ChangeResult, diffOf, patchName, toPatch, toResult } from './calls.ts';
import { applyEdits } from './edits.ts';
import { hashDescription, pathInput } from './inputs.ts';
import { changeFile, expectVersion, type Workspace } from './workspace.ts';
import { mark } from '../trust/mark.ts';

export function patchFileTool(workspace: Workspace, needsApproval: (path: string) => boolean): Tool {
  const tool = defineTool({
    name: patchName,
    description:
      'Replaces parts of a text file of the workspace. Each old text must occur exactly once in the file; all edits are made, in their order, or none.',
    input: {
      type: 'object',
      properties: {
        path: pathInput,
        hash: { type: 'string', maxLength: 64, description: hashDescription },
        edits: {
          type: 'array',
          minItems: 1,
          maxItems: 50,
          items: {
            type: 'object',
            properties: { old_text: { type: 'string', minLength: 1 }, new_text: { type: 'string' } },
            required: ['old_text', 'new_text'],
            additionalProperties: false,
          },
        },
      },
      required: ['path', 'hash', 'edits'],
      additionalProperties: false,
    },
    exclusive: true,
    needsApproval: (input) => needsApproval(textOf(input, 'path')),
    async execute(input, { signal }): Promise<ChangeResult> {
      const request = toPatch(input);
      if (request === undefined) throw new TypeError('path, hash and edits must fit the schema.');
      const { path, hash, edits } = request;
      let at: readonly number[] = [];
      const change = await changeFile(workspace, path, signal, (current) => {
        const edited = applyEdits(expectVersion(current, path, hash).text, edits, path);
        at = edited.at;
        return edited.text;
      });
      return { ...toResult(path, change), at };
    },
    present(input) {
      const { path = '', edits = [] } = toPatch(input) ?? {};
      return { summary: `Updated ${path}`, details: diffOf(path, edits) };
    },
  });
  return mark(tool, { trusted: true });
}
