import { readFileSync } from 'node:fs';

export type SampleKind = 'english' | 'chinese' | 'code' | 'json';

/** Ten texts of a kind, as people and tools write them. */
export function samplesOf(kind: SampleKind): readonly string[] {
  return readFileSync(new URL(`./samples/${kind}.txt`, import.meta.url), 'utf8').split('\n---\n');
}
