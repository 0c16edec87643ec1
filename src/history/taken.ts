import { isToolPart } from '../core/model/message.ts';
import type { Turn } from './transcript.ts';

/** What sessions have of a file. */
export interface TakenParts {
  readonly messages: number;
  /** Further versions: edited questions and regenerated answers. */
  readonly versions: number;
  readonly texts: number;
  readonly reasoning: number;
  readonly images: number;
  readonly audio: number;
  readonly files: number;
  readonly sources: number;
  readonly calls: number;
  /** Results of calls. */
  readonly results: number;
}

export const noneTaken: TakenParts = {
  messages: 0,
  versions: 0,
  texts: 0,
  reasoning: 0,
  images: 0,
  audio: 0,
  files: 0,
  sources: 0,
  calls: 0,
  results: 0,
};

/** Counts what the messages of a conversation have. */
export function countTaken(turns: readonly Turn[]): TakenParts {
  const parts = turns.flatMap(({ message }) => message.content);
  const count = (type: string): number => parts.filter((part) => part.type === type).length;
  const followers = new Map<string, number>();
  for (const { parent = '' } of turns) followers.set(parent, (followers.get(parent) ?? 0) + 1);
  const versions = [...followers.values()].reduce((sum, several) => sum + several - 1, 0);
  return {
    messages: turns.length,
    versions,
    texts: count('text'),
    reasoning: count('reasoning'),
    images: count('image'),
    audio: count('audio'),
    files: count('file'),
    sources: count('source'),
    calls: count('tool'),
    results: parts.filter((part) => isToolPart(part) && part.isError !== undefined).length,
  };
}

export function sumTaken(one: TakenParts, other: TakenParts): TakenParts {
  const sum: { -readonly [Key in keyof TakenParts]: number } = { ...one };
  for (const key of takenKinds) sum[key] += other[key];
  return sum;
}

const takenKinds = [
  'messages',
  'versions',
  'texts',
  'reasoning',
  'images',
  'audio',
  'files',
  'sources',
  'calls',
  'results',
] as const satisfies readonly (keyof TakenParts)[];
