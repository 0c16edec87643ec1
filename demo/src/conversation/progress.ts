import type { Json } from 'brooklet';
import { isJsonObject } from '../json.ts';

/** How far a tool is, as a page can show it. */
export interface Progress {
  /** 0 … 1, where it can be told. */
  readonly ratio?: number;
  readonly text: string;
}

/** Tools say how far they are in words of their own: a share, `done` of `total`, a sentence, anything. */
export function readProgress(progress: Json): Progress {
  if (typeof progress === 'string') return { text: progress };
  if (typeof progress === 'number' && progress >= 0 && progress <= 1) return share(progress);
  if (isJsonObject(progress)) {
    const { done, total, text, message } = progress;
    const words = [text, message].find((one) => typeof one === 'string');
    if (typeof done === 'number' && typeof total === 'number' && total > 0)
      return { ...share(Math.min(Math.max(done / total, 0), 1)), ...(typeof words === 'string' && { text: words }) };
    if (typeof words === 'string') return { text: words };
  }
  return { text: JSON.stringify(progress) };
}

const share = (ratio: number): Progress => ({ ratio, text: `${Math.floor(100 * ratio)} %` });
