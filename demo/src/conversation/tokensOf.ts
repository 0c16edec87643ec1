import type { MediaPart } from 'brooklet';
import { estimateMedia } from 'brooklet/context';

const known = new WeakMap<MediaPart, number>();

/** Returns the estimated tokens of a file, which the message field asks for at every key. */
export function tokensOf(file: MediaPart): number {
  const tokens = known.get(file) ?? estimateMedia(file);
  known.set(file, tokens);
  return tokens;
}
