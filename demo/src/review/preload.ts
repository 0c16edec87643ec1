import { preloadReview } from 'brooklet/react';

/** Loads what the review loads when it is first used, so that it works without the network later. */
export function preload(): void {
  for (const part of [preloadReview(), preloadWires()]) part.catch(ignore);
}

async function preloadWires(): Promise<void> {
  const { loadWires } = await import('./wires.ts');
  await loadWires();
}

/** A part that cannot be loaded says so when it is used. */
function ignore(): void {}
