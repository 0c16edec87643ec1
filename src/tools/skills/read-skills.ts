import { estimateText } from '../../core/context/tokens.ts';
import { decodeText } from '../../files/decode-text.ts';
import { problemWithPath } from '../../files/safe-path.ts';
import { FrontMatterError, readFrontMatter } from './front-matter.ts';
import type { SkillLimits } from './limits.ts';
import { readEach } from './read-each.ts';
import { type OpenSkill, skillFile } from './skill.ts';
import { SkillError } from './skill-error.ts';
import type { SourceFile, SourceFiles } from './sources/source-file.ts';

/** The skills of a source, and what was left out of it. */
export interface ReadSkills {
  readonly skills: readonly OpenSkill[];
  readonly problems: readonly SkillError[];
}

/** Reads the `SKILL.md` of each folder that has one. A skill that cannot be read is a problem, and stops no other skill. */
export async function readSkills(
  source: SourceFiles,
  sourceName: string,
  limits: Required<SkillLimits>,
): Promise<ReadSkills> {
  const { files, problems } = checkFiles(source.files, limits);
  const folders = [...files.keys()].filter(isSkillFile).map((path) => path.slice(0, -skillFile.length));
  if (folders.length === 0)
    throw new SkillError(sourceName, 'no-skill', `There is no ${skillFile} in it: a skill is a folder with this file.`);
  const read = await readEach(
    folders.slice(0, limits.skills),
    (folder) => readSkill(folder, filesBelow(folder, folders, files), sourceName, limits),
    (folder) => folder + skillFile,
  );
  const beyond = folders
    .slice(limits.skills)
    .map((folder) => new SkillError(folder + skillFile, 'too-many', `There are more than ${limits.skills} skills.`));
  return { skills: read.values, problems: [...source.problems, ...problems, ...read.problems, ...beyond] };
}

/** Returns the files with safe paths and sizes, by path. Hidden files, and those that macOS adds to archives, are left out silently. */
function checkFiles(
  files: readonly SourceFile[],
  limits: Required<SkillLimits>,
): { readonly files: ReadonlyMap<string, SourceFile>; readonly problems: readonly SkillError[] } {
  const checked = new Map<string, SourceFile>();
  const problems: SkillError[] = [];
  for (const file of files) {
    const { path, size = 0 } = file;
    const unsafe = problemWithPath(path);
    if (unsafe !== undefined) problems.push(new SkillError(path, 'unsafe-path', unsafe));
    else if (isHidden(path)) continue;
    else if (checked.has(path)) problems.push(new SkillError(path, 'duplicate', 'The source has this file twice.'));
    else if (size > limits.fileBytes)
      problems.push(new SkillError(path, 'too-large', `The file has ${size} bytes, more than ${limits.fileBytes}.`));
    else checked.set(path, file);
  }
  return { files: checked, problems };
}

async function readSkill(
  folder: string,
  files: ReadonlyMap<string, SourceFile>,
  source: string,
  limits: Required<SkillLimits>,
): Promise<OpenSkill> {
  const path = folder + skillFile;
  const bytes = await files.get(skillFile)?.read();
  if (bytes === undefined) throw new SkillError(path, 'unreadable', 'The file is missing.');
  if (bytes.length > limits.fileBytes)
    throw new SkillError(path, 'too-large', `The file has ${bytes.length} bytes, more than ${limits.fileBytes}.`);
  const text = decodeText(bytes);
  if (text === undefined) throw new SkillError(path, 'not-text', 'The file is not UTF-8 text.');
  const { name, description, body } = readHead(path, text);
  if (name === undefined || name.length > 64 || !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))
    throw new SkillError(
      path,
      'name',
      `The name ${name === undefined ? 'is missing' : JSON.stringify(name.slice(0, 80))}: it must be lower-case letters, digits and single hyphens, 64 at most.`,
    );
  if (!description) throw new SkillError(path, 'description', 'The description is missing: the model chooses by it.');
  const tokens = estimateText(body);
  return { name, description, body, paths: [...files.keys()].toSorted(), tokens, source, files };
}

interface Head {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly body: string;
}

function readHead(path: string, text: string): Head {
  try {
    const { textOf, body } = readFrontMatter(text);
    return { name: textOf('name'), description: textOf('description'), body };
  } catch (error) {
    if (error instanceof FrontMatterError) throw new SkillError(path, 'front-matter', `The file ${error.message}`);
    throw error;
  }
}

/** Returns the files of one skill by their paths within it: those of a skill inside its folder belong to that skill. */
function filesBelow(
  folder: string,
  folders: readonly string[],
  files: ReadonlyMap<string, SourceFile>,
): ReadonlyMap<string, SourceFile> {
  const inner = folders.filter((other) => other !== folder && other.startsWith(folder));
  return new Map(
    [...files]
      .filter(([path]) => path.startsWith(folder) && !inner.some((other) => path.startsWith(other)))
      .map(([path, file]) => [path.slice(folder.length), file]),
  );
}

function isSkillFile(path: string): boolean {
  return path === skillFile || path.endsWith(`/${skillFile}`);
}

function isHidden(path: string): boolean {
  return path.startsWith('__MACOSX/') || path.split('/').some((name) => name.startsWith('.'));
}
