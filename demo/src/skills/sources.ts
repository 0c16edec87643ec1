import type { SkillSource } from 'brooklet/skills';
import { roomsDatabase, type StoredSource } from '../base/roomsDatabase.ts';
import { skillSources } from './list.ts';

/** Returns the sources in the order of the list. Rejects with the error of the browser. */
export async function readSources(): Promise<readonly StoredSource[]> {
  const db = await roomsDatabase();
  const found = await Promise.all(skillSources.get().map(({ label }) => db.get('skills', label)));
  return found.filter((source) => source !== undefined);
}

/** Stores a source in the place of an earlier one of the same label. Rejects with the error of the browser. */
export async function putSource(source: StoredSource): Promise<void> {
  await (await roomsDatabase()).put('skills', source);
  const { label } = source;
  skillSources.change((list) => [...list.filter((one) => one.label !== label), { label, addedAt: Date.now() }]);
}

export async function removeSource(label: string): Promise<void> {
  skillSources.change((list) => list.filter((one) => one.label !== label));
  await (await roomsDatabase()).delete('skills', label);
}

/** Returns a source for `loadSkills`. Its skills name it by its label. */
export function toSkillSource(source: StoredSource): SkillSource | readonly File[] {
  switch (source.is) {
    case 'url':
      return source.url;
    case 'zip':
      return new File([source.content], source.label);
    case 'folder':
      return source.files.map(({ path, content }) => {
        const file = new File([content], path.split('/').at(-1) ?? path);
        // The browser sets it for picked files only, and a database does not keep it.
        return Object.defineProperty(file, 'webkitRelativePath', { value: path });
      });
  }
}

/** Makes a source of the files of an `<input webkitdirectory>`. Hidden files are left out. */
export function fromFolder(files: readonly File[]): StoredSource {
  const kept = files.filter(({ webkitRelativePath: path }) => !/(?:^|\/)\./u.test(path));
  return {
    is: 'folder',
    label: files[0]?.webkitRelativePath.split('/')[0] ?? '',
    files: kept.map((file) => ({ path: file.webkitRelativePath, content: file })),
  };
}
