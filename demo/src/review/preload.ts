import { createReview } from 'brooklet/review';
import { highlighter } from '../markdown/Markdown.tsx';
import { getTexts } from '../texts/language.ts';
import { loadReviewLabels, loadReviewZh } from '../texts/reviewTexts.ts';

/** Loads what the review loads when it is first used, so that it works without the network later. */
export function preload(): void {
  if (getTexts().locale !== 'en') {
    void loadReviewZh();
    void loadReviewLabels();
  }
  for (const part of [preloadWires(), highlighter.load()]) part.catch(ignore);
}

/** Loads what saves a session, once a review is shown. */
export function preloadSaving(): void {
  import('./saving.ts').then(({ toHTML }) => toHTML(createReview([]), [])).catch(ignore);
}

async function preloadWires(): Promise<void> {
  const { loadWires } = await import('./wires.ts');
  await loadWires();
}

/** A part that cannot be loaded says so when it is used. */
function ignore(): void {}
