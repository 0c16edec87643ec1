import type { Agent, JsonObject, SessionSummary, Usage } from 'brooklet';
import { isJsonObject, type MetadataFilter } from 'brooklet/core';
import { type AnswerSettings, readAnswerSettings } from './answerSettings.ts';

/** What the studio stores with a session: see `AgentSession.setMetadata`. */
export interface ChatMetadata {
  readonly isPinned: boolean;
  /** The model that answers in this chat; empty for the model of the settings. */
  readonly model: string;
  /** Added to the agent's instructions. */
  readonly instructions: string;
  /** How the model answers in this chat. */
  readonly answers: AnswerSettings;
}

/** Finds the conversations of the list: see `ListOptions.where`. */
export const notArchived: MetadataFilter = { archived: { not: true } };
/** Whether a filter is that of the whole list. */
export const isUnfiltered = (where: MetadataFilter): boolean => !('labels' in where) && where['archived'] !== true;
/** Finds the pinned ones among them. */
export const pinnedOnly: MetadataFilter = { pinned: true, ...notArchived };

/** The most characters of the instructions: all metadata together may have 4,096. */
export const maxInstructions = 2_000;

/** Reads what the studio has stored; a file from elsewhere may contain anything. */
export function readMetadata({ pinned, model, instructions, answers }: JsonObject = {}): ChatMetadata {
  return {
    isPinned: pinned === true,
    model: typeof model === 'string' ? model : '',
    instructions: typeof instructions === 'string' ? instructions.slice(0, maxInstructions) : '',
    answers: readAnswerSettings(isJsonObject(answers) ? answers : {}),
  };
}

/** Returns the metadata with a change. Fields of others are kept, and fields without content are left out. */
export function withMetadata(before: JsonObject | undefined, change: Partial<ChatMetadata>): JsonObject {
  const { pinned: _pinned, model: _model, instructions: _instructions, answers: _answers, ...others } = before ?? {};
  const { isPinned, model, instructions, answers } = { ...readMetadata(before), ...change };
  return {
    ...others,
    ...(isPinned && { pinned: true }),
    ...(model !== '' && { model }),
    ...(instructions !== '' && { instructions }),
    ...(Object.keys(answers).length > 0 && { answers: { ...answers } }),
  };
}

/** Returns the title of the conversation that this one was forked from; `undefined` for one that is no fork. */
export function forkedFrom({ forkedFrom: title }: JsonObject = {}): string | undefined {
  return typeof title === 'string' ? title.slice(0, 200) : undefined;
}

/** Returns what the title of a session has cost, as `titles.ts` stores it; `undefined` where a person or the first message gave the title. */
export function titleUsageOf({ titleUsage: stored }: JsonObject = {}): TitleUsage | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { input, output, model } = stored;
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  return { usage: { input, output }, model: typeof model === 'string' ? model : undefined };
}

interface TitleUsage {
  readonly usage: Usage;
  readonly model: string | undefined;
}

/** Moves a session to the archive, or out of it. Rejects with the `AgentError` of the store. */
export async function archive(agent: Agent, sessionId: string, isArchived: boolean): Promise<void> {
  const session = await agent.openSession(sessionId);
  const { archived: _archived, ...metadata } = session.getState().metadata ?? {};
  session.setMetadata({ ...metadata, ...(isArchived && { archived: true }) });
}

/** Pins a session to the top of the list, or unpins it. Rejects with the `AgentError` of the store. */
export async function pin(agent: Agent, { id }: Pick<SessionSummary, 'id'>, isPinned: boolean): Promise<void> {
  const session = await agent.openSession(id);
  session.setMetadata(withMetadata(session.getState().metadata, { isPinned }));
}
