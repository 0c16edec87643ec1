import { isJsonObject, type Json } from '../../core/model/index.ts';

/** The progress of a tool, as a card shows it. */
export interface Progress {
  /** 0 … 1, if the tool reports it. */
  readonly ratio?: number;
  readonly text: string;
}

/** Reads the progress of a tool. Tools report any JSON: a ratio, `done` of `total`, a sentence, or anything else. */
export function readProgress(progress: Json): Progress {
  if (typeof progress === 'string') return { text: progress };
  if (typeof progress === 'number' && progress >= 0 && progress <= 1) return toShare(progress);
  if (isJsonObject(progress)) {
    const { done, total, text, message } = progress;
    const label = [text, message].find((one) => typeof one === 'string');
    if (typeof done === 'number' && typeof total === 'number' && total > 0)
      return { ...toShare(Math.min(Math.max(done / total, 0), 1)), ...(typeof label === 'string' && { text: label }) };
    if (typeof label === 'string') return { text: label };
  }
  return { text: JSON.stringify(progress).slice(0, 200) };
}

const toShare = (ratio: number): Progress => ({ ratio, text: `${Math.floor(100 * ratio)} %` });
