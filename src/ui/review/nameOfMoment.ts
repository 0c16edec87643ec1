import type { SessionEvent } from '../../core/model/index.ts';
import { kindOf, type Review } from '../../review/index.ts';
import { formatClock } from '../base/duration.ts';
import type { ReviewTexts } from './reviewTexts.ts';

/** Returns the name of a moment: its step, what happened there, and when, such as “Step 3, call pay, 0:12”. */
export function nameOfMoment(review: Review, seq: number, { compare: words, time, kinds }: ReviewTexts): string {
  const { events } = review;
  const index = events.findLastIndex((one) => one.seq <= seq);
  const event = events[index];
  if (event === undefined) return words.start;
  const step = review.stepAt(seq);
  const place = index === events.length - 1 ? words.end : step && time.step(step.index + 1);
  const tool = toolOf(review, event);
  const what = tool === undefined ? kinds[kindOf(event)] : `${kinds[kindOf(event)]} ${tool}`;
  return words.moment(place ?? words.start, what, formatClock(event.at - review.from));
}

/** The name of the tool that an event is about. */
function toolOf({ calls }: Review, event: SessionEvent): string | undefined {
  return 'callId' in event ? calls.find(({ callId }) => callId === event.callId)?.name : undefined;
}
