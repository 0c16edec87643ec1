export { loadSkills, type LoadSkillsOptions, type Skills } from './load-skills.ts';
export { withSkills, type WithSkills } from './with-skills.ts';
export { SkillError, type SkillProblem } from './skill-error.ts';
export type { Skill } from './skill.ts';
export type { SkillSource } from './sources/open-source.ts';
export type { SkillLimits } from './limits.ts';
