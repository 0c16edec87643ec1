import { defineTool, type Tool } from 'brooklet';
import { parseObject, textIn } from '../base/json.ts';
import { readLocal, writeLocal } from '../base/local.ts';

const key = 'brooklet-studio:files';

/** The files at the first visit. The poem contains a mistake. */
const initialFiles = {
  'poem.txt': `The brook goes by, the brook goes by,
It keeps no hour and knows no why;
It takes the leaf, it leaves the stoen,
And sings to nobody alone.
`,
  'walks/upstream.md': '# Upstream\n\nFrom the mill to the spring, 4 km. Steep at the end; bring a cup.\n',
  'walks/downstream.md': '# Downstream\n\nFrom the mill to the river, 6 km. Flat, and herons all the way.\n',
} as const;

/** Returns path → text, stored in this browser. */
function readFiles(): ReadonlyMap<string, string> {
  const stored = parseObject(readLocal(key) ?? '') ?? initialFiles;
  return new Map(Object.keys(stored).map((path) => [path, textIn(stored, path)]));
}

function readText(path: string): string {
  const text = readFiles().get(path);
  if (text === undefined) throw new Error(`There is no file ${path}. List the files first.`);
  return text;
}

const path = { type: 'string', description: 'As list_files returns it, for example poem.txt' } as const;

const listFiles = defineTool({
  name: 'list_files',
  description: 'Lists the user’s files, which this page stores in the browser.',
  input: { type: 'object', properties: {}, additionalProperties: false },
  execute: () => [...readFiles().keys()],
  present: (_input, output) => ({ summary: Array.isArray(output) ? `${output.length} files` : 'Files' }),
});

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads one of the user’s files.',
  input: { type: 'object', properties: { path }, required: ['path'], additionalProperties: false },
  execute: (input) => readText(textIn(input, 'path')),
});

/** `exclusive`: two edits of one reply must not overwrite each other. Needs an approval within five minutes. */
const editFile = defineTool({
  name: 'edit_file',
  description: 'Replaces a piece of text in one of the user’s files. The file must contain the piece exactly once.',
  input: {
    type: 'object',
    properties: { path, old_string: { type: 'string', minLength: 1 }, new_string: { type: 'string' } },
    required: ['path', 'old_string', 'new_string'],
    additionalProperties: false,
  },
  needsApproval: true,
  approvalTimeout: 300_000,
  exclusive: true,
  execute(input) {
    const text = readText(textIn(input, 'path'));
    const pieces = text.split(textIn(input, 'old_string'));
    if (pieces.length !== 2)
      throw new Error(
        `The file contains the piece ${pieces.length - 1} times, and was not changed: choose a piece that occurs once.`,
      );
    const files = new Map(readFiles()).set(textIn(input, 'path'), pieces.join(textIn(input, 'new_string')));
    writeLocal(key, JSON.stringify(Object.fromEntries(files)));
    return 'Saved.';
  },
});

/** The page's presenter recognizes the results of these tools by the tools' names. */
export const fileTools: readonly Tool[] = [listFiles, readFile, editFile];
