import type { Agent, AgentSession, RunOptions } from 'brooklet';
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { effortParams, toRunOptions } from './answerSettings.ts';
import { getConnection } from './connection.ts';
import { defaults } from './defaults.ts';
import { readLocal } from '../base/local.ts';
import { type ChatMetadata, readMetadata, withMetadata } from './metadata.ts';

/** What one chat has of its own. */
export type ChatSettings = Pick<ChatMetadata, 'model' | 'instructions' | 'answers'>;

/** In localStorage: the names and descriptions of the user's skills, for the instructions of every chat. */
export const skillsKey = 'brooklet-studio:skill-instructions';

export const noSettings: ChatSettings = { model: '', instructions: '', answers: {} };
const draft = new BehaviorSubject<ChatSettings>(noSettings);

/** The settings of the chat that begins with the next message. */
export const draftSettings$ = draft.asObservable();
export const getDraftSettings = (): ChatSettings => draft.value;
export const setDraftSettings = (settings: ChatSettings): void => draft.next(settings);

/** Returns the settings of a chat; without a session, of the chat that begins with the next message. */
export function chatSettingsOf(session: AgentSession | undefined): ChatSettings {
  return session ? readMetadata(session.getState().metadata) : getDraftSettings();
}

/** Returns the options of a run in this chat: its own model, if the chosen provider can change models, and how it answers. */
export function runOptionsOf(session: AgentSession | undefined): RunOptions {
  const { model, answers } = chatSettingsOf(session);
  const connection = getConnection();
  const providerId = 'endpoint' in connection ? connection.endpoint.providerId : undefined;
  return {
    ...(model !== '' && providerId !== undefined && { model }),
    ...toRunOptions(answers, defaults.get(), (effort) => effortParams(providerId, effort)),
  };
}

/** Changes the model of a chat alone. Rejects with the `AgentError` of the store. */
export function chooseModel(agent: Agent, session: AgentSession | undefined, model: string): Promise<void> {
  const settings = { ...chatSettingsOf(session), model };
  if (session) return saveChatSettings(agent, session.id, settings);
  setDraftSettings(settings);
  return Promise.resolve();
}

/**
 * Stores the settings of a chat. New instructions apply from the next run on: the session is loaded again when its run has ended.
 * Rejects with the `AgentError` of the store.
 */
export async function saveChatSettings(agent: Agent, sessionId: string, settings: ChatSettings): Promise<void> {
  const session = await agent.openSession(sessionId);
  const { metadata } = session.getState();
  const hasNewInstructions = readMetadata(metadata).instructions !== settings.instructions;
  const { model, instructions, answers } = settings;
  session.setMetadata(withMetadata(metadata, { model, instructions, answers }));
  await session.flushed();
  if (hasNewInstructions) await reloadChat(agent, sessionId);
}

/** Loads a session again when its run has ended, so that new instructions apply. Rejects with the `AgentError` of the store. */
export async function reloadChat(agent: Pick<Agent, 'getSession' | 'closeSession'>, sessionId = ''): Promise<void> {
  const status$ = agent.getSession(sessionId)?.status$;
  if (!status$) return;
  await firstValueFrom(status$.pipe(filter((status) => status !== 'running' && status !== 'waiting')), {
    defaultValue: 'idle',
  });
  await agent.closeSession(sessionId);
}

interface ChatSetup {
  /** The agent's own. */
  readonly instructions: string;
  /** Awaited before a session is opened. */
  readonly isReady?: () => Promise<void>;
}

/**
 * Returns the agent with further instructions added to its own: those for all chats, those of the user's skills, and those of each chat, which are
 * stored with a session and come from the draft when a session is created.
 */
export function withChatSettings<AppAgent extends Agent>(
  agent: AppAgent,
  { instructions, isReady = async () => {} }: ChatSetup,
): AppAgent {
  const toSetup = (own: string) => ({
    instructions: [instructions, defaults.get().instructions, readLocal(skillsKey), own].filter(Boolean).join('\n\n'),
  });

  const storedInstructions = async (sessionId: string): Promise<string> => {
    if (agent.getSession(sessionId)) return '';
    // A session that cannot be read is opened, too, so that the error is shown.
    const stored = await agent.store?.read(sessionId, { after: Infinity }).catch(() => undefined);
    return readMetadata(stored?.summary.metadata).instructions;
  };

  return {
    ...agent,
    async openSession(sessionId, setup) {
      const [own] = await Promise.all([storedInstructions(sessionId), isReady()]);
      return agent.openSession(sessionId, { ...toSetup(own), ...setup });
    },
    createSession(options = {}) {
      const settings = getDraftSettings();
      const metadata = withMetadata(options.metadata, settings);
      setDraftSettings(noSettings);
      return agent.createSession({
        ...toSetup(settings.instructions),
        ...options,
        ...(Object.keys(metadata).length > 0 && { metadata }),
      });
    },
  } satisfies AppAgent;
}
