// In the order in which to read it.
export { createReview, type Review, type ReviewOptions, type ReviewPlace } from './create-review.ts';
export { followSession } from './follow-session.ts';
export { createStoreOpener } from './open-stored.ts';
export { createFileOpener, type LoggedSession, type OpenSession, type ReviewedSession } from './open-session.ts';
export type { PlayOptions, ReviewView } from './player.ts';
export type { ReviewRun, ReviewStep } from './steps.ts';
export type { ParameterChange, ParameterName, RequestChanges } from './compare-requests.ts';
export type { ListChanges } from './compare-lists.ts';
export type { ReviewCall, ReviewDecision } from './review-call.ts';
export type { ReviewCompaction } from './compactions.ts';
export type { ReviewError } from './errors.ts';
export type { CostOf, UsagePoint } from './usage.ts';
export { usageBelow, type UsageBelow, type UsageBelowOptions } from './usage-below.ts';
export type { ReviewMatch, SearchOptions } from './search.ts';
export { createAnnotations, type AnnotatedSession, type AnnotationDraft, type Annotations } from './annotations.ts';
export type { Annotation } from '../core/model/annotation.ts';
export { eventKinds, kindOf, type EventKind } from './kind.ts';
export { compareMoments, compareReviews, type MomentChanges, type SessionChanges, type StepPair } from './compare.ts';
