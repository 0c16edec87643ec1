import { defineTool } from '../../core/tools/define-tool.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { pageOf } from '../../files/page-of.ts';
import { textOf } from '../input.ts';
import { pathInput } from './inputs.ts';
import { readFile, type Workspace } from './workspace.ts';
import { mark } from '../trust/mark.ts';

export function readFileTool(workspace: Workspace, pageSize: number): Tool {
  const tool = defineTool({
    name: 'read_file',
    description:
      'Returns a text file of the workspace. The first line of the result is the hash of the file, which write_file and patch_file need; the content follows.',
    input: {
      type: 'object',
      properties: {
        path: pathInput,
        from: { type: 'integer', minimum: 0, description: 'Character to begin at, for long files. Default 0.' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    idempotent: true,
    async execute(input) {
      const path = textOf(input, 'path');
      const version = await readFile(workspace, path);
      if (version === undefined) throw new Error(`There is no file ${JSON.stringify(path)}. List the files first.`);
      const { text, hash } = version;
      const start = typeof input.from === 'number' ? input.from : 0;
      return `[hash ${hash}]\n${pageOf(text, start, pageSize)}`;
    },
    present: (input, output) => ({
      summary: `Read ${textOf(input, 'path')}`,
      ...(typeof output === 'string' && { details: { type: 'text', text: output } }),
    }),
  });
  return mark(tool, { harmless: true });
}
