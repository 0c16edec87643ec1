import type { AutoResumeRule } from '../model/auto-resume.ts';
import type { AgentOptions } from './agent-options.ts';

/** Returns the rule of an agent's option, with the defaults; `undefined` where only a person resumes a run. */
export function toAutoResumeRule(option: AgentOptions['autoResume'] = false): AutoResumeRule | undefined {
  if (option === false) return undefined;
  const { attempts = 2, firstDelay = 1_000, within = 600_000 } = option === true ? {} : option;
  return { attempts, firstDelay, within };
}
