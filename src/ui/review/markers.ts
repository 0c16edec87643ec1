import type { Annotation, Review } from '../../review/index.ts';
import { type ReviewTexts, wordFor } from './reviewTexts.ts';

/** A moment that is worth a look. */
export interface Marker {
  readonly kind: 'error' | 'decision' | 'compaction' | 'note';
  readonly seq: number;
  readonly label: string;
}

/** Returns what failed, what people decided, what was compacted, and the notes. */
export function markersOf(review: Review, notes: readonly Annotation[], words: ReviewTexts): readonly Marker[] {
  const { calls, statuses, context } = words;
  const decisions = review.calls.flatMap(({ name, decision }): readonly Marker[] =>
    decision?.decidedBy === 'user'
      ? [
          {
            kind: 'decision',
            seq: decision.seq,
            label: calls.decidedIt(decision.userName ?? calls.person, wordFor(statuses, decision.verdict), false, name),
          },
        ]
      : [],
  );
  return [
    ...decisions,
    ...review.compactions.map(({ seq }): Marker => ({ kind: 'compaction', seq, label: context.name })),
    ...review.errors.map(({ seq, message }): Marker => ({ kind: 'error', seq, label: message })),
    ...notes.map(({ seq, text }): Marker => ({ kind: 'note', seq, label: text })),
  ];
}
