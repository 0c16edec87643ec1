import type { SessionEvent } from '../../core/model/index.ts';
import { kindOf, type Review, type ReviewCall } from '../../review/index.ts';
import { formatClock } from '../base/duration.ts';
import { visible } from '../base/visible.ts';
import { titleOfCall } from '../call/titleOfCall.ts';
import { chatEnglish } from '../labels/english.ts';
import type { ReviewTexts } from './reviewTexts.ts';

/** Returns the name of a moment: its step, what happened there, and when, such as “Step 3, call Pay, 0:12”. */
export function nameOfMoment(review: Review, seq: number, { compare: words, time, kinds, parts }: ReviewTexts): string {
  const { events } = review;
  const index = events.findLastIndex((one) => one.seq <= seq);
  const event = events[index];
  if (event === undefined) return words.start;
  const step = review.stepAt(seq);
  const place = index === events.length - 1 ? words.end : step && time.step(step.index + 1);
  const call = callOf(review, event);
  const title = call && visible(titleOfCall({ ...chatEnglish.tool, ...parts.tool }, call));
  const what = title === undefined ? kinds[kindOf(event)] : `${kinds[kindOf(event)]} ${title}`;
  return words.moment(place ?? words.start, what, formatClock(event.at - review.from));
}

/** The call that an event is about. */
function callOf({ calls }: Review, event: SessionEvent): ReviewCall | undefined {
  return 'callId' in event ? calls.find(({ callId }) => callId === event.callId) : undefined;
}
