import { defined } from '../../core/json.ts';

/** What a source of skills may contain. Skills are untrusted files: whatever is beyond a limit is left out, with a `SkillError`. */
export interface SkillLimits {
  /** Files of one source. A source with more is refused. Default: 2,000. */
  readonly files?: number;
  /** Bytes of one file. Default: 1,000,000. */
  readonly fileBytes?: number;
  /** Bytes of a zip, and of all that it contains. A source with more is refused. Default: 20,000,000. */
  readonly bytes?: number;
  /** Skills of all sources together: each costs up to 200 tokens of every request. Default: 50. */
  readonly skills?: number;
}

export function withDefaults(limits: SkillLimits): Required<SkillLimits> {
  return { files: 2_000, fileBytes: 1_000_000, bytes: 20_000_000, skills: 50, ...defined(limits) };
}
