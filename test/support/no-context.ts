import type { RunContext } from '../../src/core/context/run-context.ts';

/** For runs without a context. */
export const noContext: RunContext = {
  shouldCompact: () => false,
  compact: () => {
    throw new Error('Nobody asked for a compaction.');
  },
  assemble: () => undefined,
  ready: () => undefined,
  mayRetry: false,
};
