import {
  type Agent,
  type AgentError,
  type AgentSession,
  createAgent,
  defineTool,
  extractTextContent,
  type JsonObject,
  type LLMClient,
  type Message,
  type RunResult,
  type SessionStatus,
  type ToolPart,
  toolParts,
} from 'brooklet';
import type { MetadataFilter, QueuedMessage, RunLimit, RunOutcome } from 'brooklet/core';
import {
  type AgentProviderProps,
  useAgent,
  useApprovals,
  useCallInput,
  useChat,
  useMessage,
  useMessageIds,
  useObservable,
  useSession,
} from 'brooklet/react';
import { type RememberedRule, useApprovalRules, useSessions, type UseSessionsResult } from 'brooklet/react/lists';
import type { ImportReport } from 'brooklet/storage';
import type { ReactNode } from 'react';
import { of } from 'rxjs';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

declare const session: AgentSession;

test('useChat returns typed state, and actions that resolve to their results', () => {
  const chat = useChat();
  expectTypeOf(chat.messages).toEqualTypeOf<readonly Message[]>();
  expectTypeOf(chat.status).toEqualTypeOf<SessionStatus>();
  expectTypeOf(chat.error).toEqualTypeOf<AgentError | undefined>();
  expectTypeOf(chat.approvals).toEqualTypeOf<readonly ToolPart[]>();
  expectTypeOf(chat.send('Hi')).resolves.toEqualTypeOf<RunResult | undefined>();
  expectTypeOf(chat.approve('id')).resolves.toEqualTypeOf<boolean>();
  expectTypeOf(chat.outcome).toEqualTypeOf<RunOutcome | undefined>();
  expectTypeOf(chat.limit).toEqualTypeOf<RunLimit | undefined>();
  expectTypeOf(chat.queue).toEqualTypeOf<readonly QueuedMessage[]>();
  expectTypeOf(chat.unqueue('id')).resolves.toEqualTypeOf<boolean>();
  expectTypeOf(chat.answer('id', { day: 'Monday' })).resolves.toEqualTypeOf<boolean>();
  expectTypeOf(chat.send).toBeCallableWith('Hi', { whenBusy: 'queue' });
  // @ts-expect-error `whenBusy` has four values
  expectTypeOf(chat.send).toBeCallableWith('Hi', { whenBusy: 'later' });
  // @ts-expect-error an answer is JSON
  expectTypeOf(chat.answer).toBeCallableWith('id', undefined);
  expectTypeOf(chat.stop).toBeCallableWith();
});

test('useChat accepts an optional id, and no unknown option', () => {
  const maybe = String() || undefined;
  expectTypeOf(useChat).toBeCallableWith({ sessionId: maybe });
  // @ts-expect-error an id is a string
  expectTypeOf(useChat).toBeCallableWith({ sessionId: 1 });
  // @ts-expect-error there is no such option
  expectTypeOf(useChat).toBeCallableWith({ id: 'a' });
});

test('actions do not accept a click event', () => {
  const { resume, regenerate, stop } = useChat();
  type OnClick = (event: MouseEvent) => void;
  expectTypeOf(stop).toExtend<OnClick>();
  expectTypeOf(resume).not.toExtend<OnClick>();
  expectTypeOf(regenerate).not.toExtend<OnClick>();
});

test('state is read-only', () => {
  expectTypeOf(useChat().messages).not.toHaveProperty('push');
});

test('useMessage returns the message, or the result of the selector', () => {
  expectTypeOf(useMessage(session, 'id')).toEqualTypeOf<Message | undefined>();
  expectTypeOf(useMessage(undefined, 'id', ({ content }) => content.length)).toEqualTypeOf<number | undefined>();
  expectTypeOf(useMessageIds(session)).toEqualTypeOf<readonly string[]>();
});

test('useSession may return no session', () => {
  expectTypeOf(useSession('id').session).toEqualTypeOf<AgentSession | undefined>();
  expectTypeOf(useSession(undefined).error).toEqualTypeOf<AgentError | undefined>();
});

test('useApprovalRules accepts an optional session, and returns rules that revoke accepts', () => {
  expectTypeOf(useApprovalRules).toBeCallableWith();
  expectTypeOf(useApprovalRules(undefined).rules).toEqualTypeOf<readonly RememberedRule[]>();
  expectTypeOf<RememberedRule>().toExtend<Parameters<ReturnType<typeof useApprovalRules>['revoke']>[0]>();
});

test('useSessions accepts a page size, a search and a filter', () => {
  expectTypeOf(useSessions).parameter(0).toEqualTypeOf<
    | {
        readonly limit?: number;
        readonly search?: string;
        readonly where?: MetadataFilter;
        readonly waiting?: boolean;
      }
    | undefined
  >();
  expectTypeOf<UseSessionsResult['exportSessions']>().returns.toEqualTypeOf<Promise<Blob | undefined>>();
  expectTypeOf<UseSessionsResult['importSessions']>().returns.toEqualTypeOf<Promise<ImportReport | undefined>>();
});

test('useObservable returns the type of the getter', () => {
  expectTypeOf(useObservable(of(1), () => 'text')).toEqualTypeOf<string>();
  expectTypeOf(useObservable(session.status$, session.getStatus)).toEqualTypeOf<SessionStatus>();
});

test('AgentProvider needs an agent', () => {
  expectTypeOf<{ readonly children?: ReactNode }>().not.toExtend<AgentProviderProps>();
  expectTypeOf<{ readonly agent: Agent }>().toExtend<AgentProviderProps>();
});

const pay = defineTool({
  name: 'pay',
  description: '',
  input: z.object({ amount: z.number() }),
  output: z.object({ receipt: z.string() }),
  execute: () => ({ receipt: '' }),
});
const chatAgent = createAgent({ client: {} as LLMClient, tools: [pay] });
type Tools = typeof pay;

test('hooks with the type of the agent return parts with the types of its tools', () => {
  const { messages, approvals, session: ofChat, send } = useChat<typeof chatAgent>();
  expectTypeOf(useAgent<typeof chatAgent>()).toEqualTypeOf<Agent<Tools>>();
  expectTypeOf(messages).toEqualTypeOf<readonly Message<Tools>[]>();
  expectTypeOf(approvals).toEqualTypeOf<readonly ToolPart<Tools>[]>();
  expectTypeOf(send('Hi')).resolves.toEqualTypeOf<RunResult<Tools> | undefined>();
  expectTypeOf(useSession<typeof chatAgent>('id').session).toEqualTypeOf<AgentSession<Tools> | undefined>();

  for (const part of messages.flatMap(({ content }) => content)) {
    if (part.type !== 'tool') continue;
    if (part.name === 'pay' && part.status === 'succeeded') expectTypeOf(part.output.receipt).toEqualTypeOf<string>();
    // @ts-expect-error there is no such field in the output
    if (part.name === 'pay' && part.status === 'succeeded') part.output.recipe satisfies string;
    // @ts-expect-error no tool has this name
    if (part.name === 'pya') break;
  }

  const [call] = useApprovals(ofChat);
  if (call?.name === 'pay' && call.status === 'awaiting-approval') {
    expectTypeOf(call.input.amount).toEqualTypeOf<number>();
    // @ts-expect-error there is no such field in the input
    call.input.sum satisfies number;
  }
  expectTypeOf(useCallInput(call!)).toEqualTypeOf<JsonObject | undefined>();

  expectTypeOf(useMessage(ofChat, 'id')).toEqualTypeOf<Message<Tools> | undefined>();
  expectTypeOf(useMessage(ofChat, 'id', toolParts)).toEqualTypeOf<readonly ToolPart<Tools>[] | undefined>();
  expectTypeOf(useMessage(ofChat, 'id', extractTextContent)).toEqualTypeOf<string | undefined>();
  expectTypeOf(useMessageIds(ofChat)).toEqualTypeOf<readonly string[]>();
});

test('an agent with types may be provided', () => {
  expectTypeOf<{ readonly agent: typeof chatAgent }>().toExtend<AgentProviderProps>();
  // @ts-expect-error a session is no agent
  useChat<typeof session>();
});
