import { SkillError } from '../skill-error.ts';
import { filesOfArchive } from './archive.ts';
import { filesOfDirectory, filesOfInput } from './directory.ts';
import type { SourceFiles } from './source-file.ts';
import { filesOfUrl, type UrlOptions } from './url.ts';

/**
 * Where skills come from: the URL of a zip or of an index (docs/skills.md), a zip as a file or as bytes, or a folder: picked with
 * `showDirectoryPicker()`, of OPFS, or the files of an `<input type="file" webkitdirectory>`.
 */
export type SkillSource = string | URL | Blob | ArrayBuffer | Uint8Array | FileSystemDirectoryHandle;

/** A source, as it is opened: the files of one input are one folder. */
export type OpenableSource = SkillSource | readonly File[];

/** Returns the sources of an argument. Files of a `webkitdirectory` input belong together: their paths begin with the picked folder. */
export function toSources(from: SkillSource | Iterable<SkillSource>): readonly OpenableSource[] {
  const list = isSource(from) ? [from] : [...from];
  const picked = list.filter(isPicked);
  const roots = [...new Set(picked.map(rootOf))];
  const folders = roots.map((root) => picked.filter((file) => rootOf(file) === root));
  return [...list.filter((source) => !isPicked(source)), ...folders];
}

/** Returns the name of a source in messages. */
export function nameOf(source: OpenableSource): string {
  if (typeof source === 'string') return source;
  if (source instanceof URL) return source.href;
  if (source instanceof File || 'getFileHandle' in source) return source.name;
  const [first] = isInput(source) ? source : [];
  return first ? rootOf(first) : 'zip';
}

/** Lists the files of a source. Rejects with a `SkillError` when the source as a whole cannot be read. */
export async function openSource(source: OpenableSource, options: UrlOptions): Promise<SourceFiles> {
  const { limits } = options;
  if (typeof source === 'string' || source instanceof URL) return filesOfUrl(toUrl(source), options);
  if (source instanceof Blob) {
    if (source.size > limits.bytes)
      throw new SkillError(nameOf(source), 'too-large', `The archive has more than ${limits.bytes} bytes.`);
    return filesOfArchive(new Uint8Array(await source.arrayBuffer()), nameOf(source), limits);
  }
  if (source instanceof Uint8Array) return filesOfArchive(source, nameOf(source), limits);
  if (source instanceof ArrayBuffer) return filesOfArchive(new Uint8Array(source), nameOf(source), limits);
  return 'getFileHandle' in source ? filesOfDirectory(source, limits.files) : filesOfInput(source, limits.files);
}

function isSource(from: SkillSource | Iterable<SkillSource>): from is SkillSource {
  return (
    typeof from === 'string' ||
    from instanceof URL ||
    from instanceof Blob ||
    from instanceof ArrayBuffer ||
    from instanceof Uint8Array ||
    'getFileHandle' in from
  );
}

function rootOf({ webkitRelativePath: path }: File): string {
  return path.split('/')[0] ?? '';
}

function isInput(source: OpenableSource): source is readonly File[] {
  return Array.isArray(source);
}

function isPicked(source: SkillSource): source is File {
  return source instanceof Blob && 'webkitRelativePath' in source && source.webkitRelativePath !== '';
}

function toUrl(source: string | URL): URL {
  const base = globalThis.document?.baseURI;
  const url = URL.canParse(source, base) ? new URL(source, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new SkillError(String(source), 'unreadable', 'The address is not valid: pass an http(s) URL.');
  return url;
}
