import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts';
import { problemWithPath } from '../../../files/safe-path.ts';
import { sha256 } from '../../../files/sha256.ts';
import type { SkillLimits } from '../limits.ts';
import { skillFile } from '../skill.ts';
import { SkillError, toSkillError } from '../skill-error.ts';
import { fetchBytes } from './fetch-bytes.ts';
import type { SourceFile, SourceFiles } from './source-file.ts';
import { isZip } from '../../../files/zip.ts';
import { filesOfArchive } from './archive.ts';

// Agent Skills Discovery (github.com/cloudflare/agent-skills-discovery-rfc): version 0.1 lists the `files` of a skill, version 0.2 names the
// `url` of its SKILL.md or archive, with a digest.

/** What a URL is read with. */
export interface UrlOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly limits: Required<SkillLimits>;
}

/** Reads a zip, or an index with the files of each skill. The files of an index are fetched when they are needed. */
export async function filesOfUrl(url: URL, options: UrlOptions): Promise<SourceFiles> {
  const { limits } = options;
  const bytes = await fetchBytes(url, url.href, { fetch: options.fetch, maxBytes: limits.bytes });
  if (isZip(bytes)) return filesOfArchive(bytes, url.href, limits);
  const index = parseJson(new TextDecoder().decode(bytes));
  const listed = isJsonObject(index) ? index.skills : undefined;
  if (!Array.isArray(listed)) {
    const why = 'This is neither a zip nor an index: a JSON object { "skills": [{ "name", "description", "files" }] }.';
    throw new SkillError(url.href, 'unreadable', why);
  }
  const entries: readonly Json[] = listed;
  const found = await Promise.all(
    entries.slice(0, limits.files).map((entry, at) =>
      filesOfEntry(entry, url, options).catch((error: unknown): SourceFiles => ({
        files: [],
        problems: [toSkillError(error, `${url.href}#${at}`)],
      })),
    ),
  );
  const files = found.flatMap((one) => one.files);
  if (files.length > limits.files)
    throw new SkillError(url.href, 'too-many', `The index lists more than ${limits.files} files.`);
  return { files, problems: found.flatMap(({ problems }) => problems) };
}

async function filesOfEntry(entry: Json, index: URL, options: UrlOptions): Promise<SourceFiles> {
  const name = isJsonObject(entry) ? entry.name : undefined;
  if (!isJsonObject(entry) || typeof name !== 'string' || problemWithPath(name) !== undefined || name.includes('/'))
    throw new SkillError(index.href, 'name', 'An entry of the index has no usable name.');
  if (typeof entry.url === 'string') return filesOfArtifact(name, entry.url, entry, index, options);
  const listed: readonly Json[] = Array.isArray(entry.files) ? entry.files : [skillFile];
  const paths = listed.filter((path) => typeof path === 'string').slice(0, options.limits.files + 1);
  const files: SourceFile[] = [];
  const problems: SkillError[] = [];
  for (const inner of paths) {
    const path = `${name}/${inner}`;
    const unsafe = problemWithPath(inner);
    if (unsafe === undefined) {
      const url = new URL(path.split('/').map(encodeURIComponent).join('/'), index);
      files.push({ path, read: () => read(url, path, options) });
    } else problems.push(new SkillError(path, 'unsafe-path', unsafe));
  }
  return { files, problems };
}

/** The one file of a skill in an index of version 0.2. */
async function filesOfArtifact(
  name: string,
  reference: string,
  { type, digest }: JsonObject,
  index: URL,
  options: UrlOptions,
): Promise<SourceFiles> {
  const path = `${name}/${skillFile}`;
  const url = URL.canParse(reference, index.href) ? new URL(reference, index.href) : undefined;
  if (url?.origin !== index.origin)
    throw new SkillError(path, 'unsafe-path', `${reference} is not on the origin of the index, ${index.origin}.`);
  const bytes = await read(url, path, options);
  if (typeof digest === 'string' && digest !== `sha256:${await sha256(bytes)}`)
    throw new SkillError(path, 'unreadable', `${url.href} is not the file of the index: its digest differs.`);
  if (type !== 'archive') return { files: [{ path, read: async () => bytes }], problems: [] };
  if (!isZip(bytes))
    throw new SkillError(path, 'unreadable', `${url.href} is not a zip archive: other archives are not read.`);
  const { files, problems } = await filesOfArchive(bytes, url.href, options.limits);
  return { files: files.map((file) => ({ ...file, path: `${name}/${file.path}` })), problems };
}

function read(url: URL, path: string, { fetch, limits }: UrlOptions): Promise<Uint8Array> {
  return fetchBytes(url, path, { fetch, maxBytes: limits.fileBytes });
}
