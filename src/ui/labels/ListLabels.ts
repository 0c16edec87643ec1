import type { ContextLabels } from './context-english.ts';
import type { KeyLabels } from './key-english.ts';
import type { ModelLabels } from './model-english.ts';
import type { SessionsLabels } from './sessions-english.ts';

/** The texts of the parts beside a chat. */
export interface ListLabels {
  readonly sessions: SessionsLabels;
  readonly model: ModelLabels;
  readonly key: KeyLabels;
  readonly context: ContextLabels;
}
