import { isJsonObject, type Json } from '../../core/json.ts';
import { defineTool } from '../../core/tools/define-tool.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { listFiles } from './folder.ts';
import { rootOf, type Workspace } from './workspace.ts';
import { mark } from '../trust/mark.ts';

export function listFilesTool(workspace: Workspace, maxListed: number): Tool {
  const tool = defineTool({
    name: 'list_files',
    description: `Lists the files of the workspace with their sizes in bytes, also those in folders, ${maxListed} at most.`,
    input: {
      type: 'object',
      properties: {
        folder: { type: 'string', maxLength: 1_000, description: 'Only below this folder. Default: all.' },
      },
      additionalProperties: false,
    },
    idempotent: true,
    async execute({ folder }) {
      const { files, isComplete } = await listFiles(
        await rootOf(workspace),
        typeof folder === 'string' ? folder : '',
        maxListed,
      );
      return { files, ...(!isComplete && { note: 'There is more: name a folder.' }) };
    },
    present: (_input, output) => {
      const listed = pathsIn(output);
      return {
        summary: listed.length === 1 ? '1 file' : `${listed.length} files`,
        details: { type: 'fileList', files: listed },
      };
    },
  });
  return mark(tool, { harmless: true });
}

function pathsIn(output: unknown): readonly string[] {
  const files = isJsonObject(output) ? output.files : [];
  const list: readonly Json[] = Array.isArray(files) ? files : [];
  return list.flatMap((file) => (isJsonObject(file) && typeof file.path === 'string' ? file.path : []));
}
