import { toMediaPart } from '../../core/session/to-media-part.ts';
import type { Part } from '../../core/model/message.ts';
import { defineTool } from '../../core/tools/define-tool.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { decodeText } from '../../files/decode-text.ts';
import { pageOf } from '../../files/page-of.ts';
import { textOf } from '../input.ts';
import { type OpenSkill, skillFile } from './skill.ts';
import { mark } from '../trust/mark.ts';

/** Bytes at the beginning of the images that models accept, by media type. */
const images: readonly (readonly [mediaType: string, magic: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];

/** What the tool reads from. */
export interface ReadSkillOptions {
  readonly skills: ReadonlyMap<string, OpenSkill>;
  /** Characters of one result. */
  readonly pageSize: number;
  /** Bytes. */
  readonly maxBytes: number;
}

/** The tool with which the model loads a skill, or a file of it. Its result, which is in the log, states what was loaded. */
export function readSkillTool({ skills, pageSize, maxBytes }: ReadSkillOptions): Tool {
  const tool = defineTool({
    name: 'read_skill',
    description:
      'Returns the instructions of a skill and the list of its files, or with `path` one of these files. Call it before a task that a skill describes.',
    input: {
      type: 'object',
      properties: {
        skill: { type: 'string', maxLength: 64, description: 'Name of the skill.' },
        path: { type: 'string', maxLength: 1_000, description: 'A file of the skill. Default: SKILL.md.' },
        from: { type: 'integer', minimum: 0, description: 'Character to begin at, for long files. Default 0.' },
      },
      required: ['skill'],
      additionalProperties: false,
    },
    idempotent: true,
    async execute(input) {
      const { path, from } = input;
      const name = textOf(input, 'skill');
      const skill = skills.get(name);
      if (skill === undefined)
        throw new Error(
          `There is no skill ${JSON.stringify(name)}. There are: ${[...skills.keys()].join(', ') || 'none'}.`,
        );
      const wanted = pathIn(path);
      const start = typeof from === 'number' ? from : 0;
      if (wanted === skillFile) return pageOf(skill.body + listOf(skill), start, pageSize);
      const content = await readFile(skill, wanted, maxBytes);
      return typeof content === 'string' ? pageOf(content, start, pageSize) : content;
    },
    present: (input, output) => ({
      summary: `Read ${textOf(input, 'skill')}/${pathIn(input.path)}`,
      ...(typeof output === 'string' && { details: { type: 'text', text: output } }),
    }),
  });
  return mark(tool, { harmless: true });
}

function pathIn(path: unknown): string {
  return typeof path === 'string' && path !== '' ? path.replace(/^\.\//, '') : skillFile;
}

/** Invariant: only a path of the skill's own list is read, so that no path leaves the skill. */
async function readFile(skill: OpenSkill, path: string, maxBytes: number): Promise<string | readonly Part[]> {
  const file = skill.files.get(path);
  if (file === undefined)
    throw new Error(`The skill ${skill.name} has no file ${JSON.stringify(path)}.${listOf(skill)}`);
  const bytes = await file.read();
  if (bytes.length > maxBytes) throw new Error(`${path} has ${bytes.length} bytes, more than ${maxBytes}.`);
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const [mediaType] = images.find(([, magic]) => magic.test(start)) ?? [];
  if (mediaType === undefined)
    throw new Error(`${path} is a binary file of ${bytes.length} bytes: only UTF-8 text and images can be read.`);
  return [await toMediaPart(new File([new Uint8Array(bytes)], path, { type: mediaType }))];
}

function listOf({ paths }: OpenSkill): string {
  const others = paths.filter((path) => path !== skillFile);
  return others.length === 0
    ? ''
    : `\n\nFiles of this skill, to be read with \`path\`:\n${others.map((path) => `- ${path}`).join('\n')}`;
}
