import { type Agent, type AgentError, toAgentError } from 'brooklet';
import { loadSkills, type Skills } from 'brooklet/skills';
import { BehaviorSubject, combineLatest, filter, firstValueFrom, from, map, startWith, switchMap } from 'rxjs';
import { reloadChat, skillsKey } from '../model/chatSettings.ts';
import { readLocal, writeLocal } from '../base/local.ts';
import type { StoredSource } from '../base/roomsDatabase.ts';
import { getSessionId } from '../base/route.ts';
import { guard } from '../trust/holding.ts';
import { skillSources } from './list.ts';
import { readSources, toSkillSource } from './sources.ts';
import { switchedOff } from './switchedOff.ts';

type SkilledAgent = Pick<Agent, 'addTool' | 'removeTool' | 'getSession' | 'closeSession'>;

/** The skills of the user. */
export interface SkillsState {
  readonly isLoading: boolean;
  readonly sources: readonly StoredSource[];
  /** All skills of the sources; `undefined` where there is none. */
  readonly skills: Skills | undefined;
  /** What could not be read. */
  readonly problems: readonly AgentError[];
}

const subject = new BehaviorSubject<SkillsState>({ isLoading: true, sources: [], skills: undefined, problems: [] });
export const skillsState$ = subject.asObservable();
export const getSkillsState = (): SkillsState => subject.value;

let isStarted = false;

/** Loads the skills of the user, gives them to the agent, and follows their list. The second call changes nothing. */
export function start(agent: SkilledAgent): void {
  if (isStarted) return;
  isStarted = true;
  skillSources.value$
    .pipe(switchMap(() => from(load()).pipe(startWith({ ...subject.value, isLoading: true }))))
    .subscribe(subject);
  combineLatest([skillsState$, switchedOff.value$])
    .pipe(
      filter(([{ isLoading }]) => !isLoading),
      map(([{ skills }, off]) => skills?.only(({ name }) => !off.includes(name))),
    )
    .subscribe((skills) => offer(agent, skills));
}

/** Resolves when the skills are loaded, as far as they can be. */
export async function settled(): Promise<void> {
  await firstValueFrom(skillsState$.pipe(filter(({ isLoading }) => !isLoading)));
}

/** Never rejects: what cannot be read is a problem. */
async function load(): Promise<SkillsState> {
  let sources: readonly StoredSource[] = [];
  try {
    sources = await readSources();
    if (sources.length === 0) return { isLoading: false, sources, skills: undefined, problems: [] };
    const skills = await loadSkills(sources.flatMap((source) => toSkillSource(source)));
    return { isLoading: false, sources, skills, problems: skills.problems };
  } catch (thrown) {
    return { isLoading: false, sources, skills: undefined, problems: [toAgentError(thrown)] };
  }
}

function offer(agent: SkilledAgent, skills: Skills | undefined): void {
  const [tool] = skills?.tools ?? [];
  if (tool) agent.addTool(guard(tool));
  else agent.removeTool('read_skill');
  const text = skills?.instructions ?? '';
  if (text === (readLocal(skillsKey) ?? '')) return;
  writeLocal(skillsKey, text === '' ? undefined : text);
  reloadChat(agent, getSessionId()).catch(() => {});
}
