import type { SessionState } from '../model/state.ts';
import { type Message, totalInput, type ZoneTokens } from '../model/message.ts';

/** Replies that are looked at, counted from the end. */
const lookback = 8;
/** Below this a request says more about its provider's habits than about its text. Tokens. */
const tooShort = 200;
/** A factor beyond these is a mistake somewhere: a provider that counts without its cache, an image nobody could size. */
const least = 0.6;
const most = 2.5;

/**
 * By how much this model's tokens are more than were estimated, as its provider has reported of late; 1 where it has not. Large requests
 * count for more, so that it settles where it is needed.
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
  return seen === 0 ? 1 : Math.min(most, Math.max(least, reported / estimated));
}

function sampleOf(message: Message | undefined): { readonly reported: number; readonly estimated: number } | undefined {
  if (message?.usage === undefined || message.context === undefined) return undefined;
  const estimated = sumOf(message.context);
  const reported = totalInput(message.usage);
  return estimated < tooShort || reported === 0 ? undefined : { reported, estimated };
}

export function sumOf({ immutable, compressed, incremental, scratch }: ZoneTokens): number {
  return immutable + compressed + incremental + scratch;
}
