import { defineTool, type Tool } from 'brooklet';
import { parseObject, textIn } from '../json.ts';
import { readLocal, writeLocal } from '../local.ts';

const key = 'brooklet-studio:files';

/** What the agent finds at first. The poem has a mistake in it. */
const atFirst = {
  'poem.txt': `The brook goes by, the brook goes by,
It keeps no hour and knows no why;
It takes the leaf, it leaves the stoen,
And sings to nobody alone.
`,
  'walks/upstream.md': '# Upstream\n\nFrom the mill to the spring, 4 km. Steep at the end; bring a cup.\n',
  'walks/downstream.md': '# Downstream\n\nFrom the mill to the river, 6 km. Flat, and herons all the way.\n',
} as const;

/** Path → text, kept in this browser. */
function readFiles(): ReadonlyMap<string, string> {
  const stored = parseObject(readLocal(key) ?? '') ?? atFirst;
  return new Map(Object.keys(stored).map((path) => [path, textIn(stored, path)]));
}

function readText(path: string): string {
  const text = readFiles().get(path);
  if (text === undefined) throw new Error(`There is no file ${path}. List the files first.`);
  return text;
}

const path = { type: 'string', description: 'As list_files gives it, e.g. poem.txt' } as const;

const listFiles = defineTool({
  name: 'list_files',
  description: 'Lists the files of the small folder that this page keeps for the person.',
  input: { type: 'object', properties: {}, additionalProperties: false },
  execute: () => [...readFiles().keys()],
  present: (_input, output) => ({ summary: Array.isArray(output) ? `${output.length} files` : 'Files' }),
});

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads one of the person’s files.',
  input: { type: 'object', properties: { path }, required: ['path'], additionalProperties: false },
  execute: (input) => readText(textIn(input, 'path')),
});

/** Runs alone, so that two edits of one reply cannot lose one another; asks first, and does not wait for ever. */
const editFile = defineTool({
  name: 'edit_file',
  description: 'Replaces a piece of text in one of the person’s files. The piece must stand there exactly once.',
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
    if (pieces.length !== 2) throw new Error(`The piece stands there ${pieces.length - 1} times: nothing was changed.`);
    const files = new Map(readFiles()).set(textIn(input, 'path'), pieces.join(textIn(input, 'new_string')));
    writeLocal(key, JSON.stringify(Object.fromEntries(files)));
    return 'Saved.';
  },
});

/** How their results look, the page's presenter knows by their names. */
export const fileTools: readonly Tool[] = [listFiles, readFile, editFile];
