import type { SessionState } from '../model/state.ts';
import { type Message, totalInput, type ZoneTokens } from '../model/message.ts';

/** Number of the newest replies that are considered. */
const lookback = 8;
/** Tokens. Shorter requests are ignored: a provider's fixed overhead outweighs their text. */
const minTokens = 200;
/** Bounds of the factor. A factor beyond them is an error of measurement: a provider that omits its cache, an image of unknown size. */
const minFactor = 0.6;
const maxFactor = 2.5;

/**
 * Returns the ratio of reported to estimated tokens over the newest replies of one model; 1 without reports. Weighted by size: large
 * requests, for which the estimate matters, determine the ratio.
 */
export function calibrationOf({ messages }: SessionState): number {
  let model: string | undefined;
  let seen = 0;
  let reported = 0;
  let estimated = 0;
  for (let index = messages.length - 1; index >= 0 && seen < lookback; index--) {
    const sample = sampleOf(messages[index]);
    if (sample === undefined || (seen > 0 && messages[index]?.model !== model)) continue;
    model = messages[index]?.model;
    seen++;
    reported += sample.reported;
    estimated += sample.estimated;
  }
  return seen === 0 ? 1 : Math.min(maxFactor, Math.max(minFactor, reported / estimated));
}

function sampleOf(message: Message | undefined): { readonly reported: number; readonly estimated: number } | undefined {
  if (message?.usage === undefined || message.context === undefined) return undefined;
  const estimated = sumOf(message.context);
  const reported = totalInput(message.usage);
  return estimated < minTokens || reported === 0 ? undefined : { reported, estimated };
}

export function sumOf({ immutable, compressed, incremental, scratch }: ZoneTokens): number {
  return immutable + compressed + incremental + scratch;
}
