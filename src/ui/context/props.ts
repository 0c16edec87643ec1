import type { AgentSession } from '../../index.ts';
import type { ContextLabels } from '../labels/context-english.ts';

/** Props of `ContextMeter`. */
export interface ContextMeterProps {
  readonly session: AgentSession | undefined;
  /** Share of the context window, from 0 to 1, above which the meter is shown. Default 0.5. */
  readonly showAbove?: number | undefined;
  /** Whether the agent compacts older messages by itself: its option `autoCompress`. Default `true`. */
  readonly compacts?: boolean | undefined;
  readonly labels?: Partial<ContextLabels> | undefined;
  readonly className?: string | undefined;
}
