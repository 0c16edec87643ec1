import type { Agent } from '../core/agent/agent.ts';
import { AgentError, fail } from '../core/error.ts';
import { defined, type Json } from '../core/json.ts';
import type { ToolTypes } from '../core/model/call.ts';
import { type MediaPart, toParts } from '../core/model/message.ts';
import type {
  AgentSession,
  AnswerOptions,
  ApproveOptions,
  ChatInput,
  DecisionOptions,
  RejectOptions,
  RunOptions,
  RunResult,
} from '../core/session/session.ts';
import { readAnswer, readChatInput, readDecision } from '../core/session/read-arguments.ts';
import { readRunOptions } from '../core/session/run-settings.ts';
import { toMediaPart } from '../core/session/to-media-part.ts';
import { approvalRuleChanges } from './approvalRuleChanges.ts';

/** The actions of a chat on its session. */
export interface ChatVerbs<Tools extends ToolTypes = ToolTypes> {
  /** Removes a message from `queue`. Resolves to whether the message was removed. */
  readonly unqueue: (messageId: string) => Promise<boolean>;
  /** Answers the last user message, or the given one, again. The answer before becomes an alternative. */
  readonly regenerate: (messageId?: string, options?: RunOptions) => Promise<RunResult<Tools> | undefined>;
  /** Continues the last run after an interruption, a failure, a limit or a cancel. */
  readonly resume: (options?: RunOptions) => Promise<RunResult<Tools> | undefined>;
  /** Sends a user message in the place of an earlier one, which becomes an alternative: see `AgentSession.edit`. */
  readonly edit: (
    messageId: string,
    input: string | ChatInput,
    options?: RunOptions,
  ) => Promise<RunResult<Tools> | undefined>;
  /** Shows another version: see `AgentSession.selectAlternative`. Resolves to whether the version is shown. */
  readonly selectAlternative: (messageId: string, version: number | string) => Promise<boolean>;
  /** Creates a session with the messages up to the given one (default: all). Resolves to its id. */
  readonly fork: (messageId?: string) => Promise<string | undefined>;
  /** Reads a file as a part for the `content` of a message, to show it before it is sent. See also `files` of `send`. */
  readonly attach: (file: Blob) => Promise<MediaPart | undefined>;
  /** Approves a call. Resolves to whether the decision was accepted. */
  readonly approve: (callId: string, options?: ApproveOptions) => Promise<boolean>;
  /** Rejects a call. Resolves to whether the decision was accepted. */
  readonly reject: (callId: string, options?: RejectOptions) => Promise<boolean>;
  /**
   * Answers an elicitation: a call whose `approval.elicitation` is the JSON Schema of the answer. Resolves to whether
   * the answer was accepted.
   */
  readonly answer: (callId: string, answer: Json, options?: AnswerOptions) => Promise<boolean>;
}

/**
 * Creates the actions of `useChat` on its session. An action rejects where the session refuses, and with AgentError `INVALID_INPUT` for an
 * argument of the wrong shape. Invariant: an action copies what it is given within its call, before it awaits the session.
 *
 * @param find returns the session of the chat, opened if necessary
 */
export function createChatVerbs(agent: Agent, find: () => Promise<AgentSession | undefined>): ChatVerbs {
  async function open(): Promise<AgentSession> {
    return (await find()) ?? fail('NOTHING_TO_RESUME', 'There is no session yet: send a message first.');
  }

  async function decide({ remember }: DecisionOptions, decision: (session: AgentSession) => Promise<void>) {
    try {
      await decision(await open());
      return true;
    } finally {
      if (remember === 'agent') approvalRuleChanges(agent).next();
    }
  }

  return {
    async unqueue(messageId) {
      const session = await open();
      // It may have been admitted or removed meanwhile, in another tab, too.
      const isQueued = session.getState().queue.some(({ message }) => message.id === messageId);
      if (isQueued) session.unqueue(messageId);
      return isQueued;
    },
    async regenerate(messageId, options = {}) {
      const copy = readRunOptions(options, 'regenerate');
      return (await open()).regenerate(messageId, copy);
    },
    async resume(options = {}) {
      const copy = readRunOptions(options, 'resume');
      return (await open()).resume(copy);
    },
    async edit(messageId, input, options = {}) {
      const copies = [readChatInput(input), readRunOptions(options, 'edit')] as const;
      return (await open()).edit(messageId, ...copies);
    },
    async selectAlternative(...args) {
      await (await open()).selectAlternative(...args);
      return true;
    },
    fork: async (messageId) => agent.forkSession((await open()).id, defined({ messageId })),
    attach: read,
    async approve(callId, options = {}) {
      const copy = readDecision(options, 'approve');
      return decide(copy, (session) => session.approve(callId, copy));
    },
    async reject(callId, options = {}) {
      const copy = readDecision(options, 'reject');
      return decide(copy, (session) => session.reject(callId, copy));
    },
    async answer(callId, answer, options = {}) {
      const copies = [readAnswer(answer), readDecision(options, 'answer')] as const;
      return decide({}, (session) => session.answer(callId, ...copies));
    },
  };
}

/** Returns the input of a message with these files. Rejects with AgentError `INVALID_INPUT` for a file that cannot be read. */
export async function withFiles(input: string | ChatInput, files: FileList | readonly Blob[]): Promise<ChatInput> {
  const { content, ...rest } = typeof input === 'string' ? { content: input } : input;
  const text = typeof content === 'string' && content.trim() === '' ? [] : toParts(content);
  return { ...rest, content: [...text, ...(await Promise.all(Array.from(files, read)))] };
}

async function read(file: Blob): Promise<MediaPart> {
  try {
    return await toMediaPart(file);
  } catch (cause) {
    throw new AgentError('The file cannot be read: it was moved or has changed. Choose it again.', {
      code: 'INVALID_INPUT',
      cause,
    });
  }
}
