import type { Agent, JsonObject, SessionSummary } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { type AnswerSettings, readAnswerSettings } from '../answerSettings.ts';

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

/** Finds the pinned sessions: see `ListOptions.where`. */
export const pinnedOnly = { pinned: true } as const;

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

/** Pins a session to the top of the list, or unpins it. Rejects with the `AgentError` of the store. */
export async function pin(agent: Agent, { id }: Pick<SessionSummary, 'id'>, isPinned: boolean): Promise<void> {
  const session = await agent.openSession(id);
  session.setMetadata(withMetadata(session.getState().metadata, { isPinned }));
}
