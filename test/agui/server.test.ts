import {
  AGUIMock,
  buildAGUICompositeResponse,
  buildAGUIReasoningResponse,
  buildAGUIStateDelta,
  buildAGUIStateUpdate,
  buildAGUIStepWithText,
  buildAGUIToolCallResponse,
} from '@copilotkit/aimock';
import { createAgent, extractTextContent, toolParts } from 'brooklet';
import { createAGUIClient, createAGUIInterruptTool, readAGUIState } from 'brooklet/agui';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../support/until.ts';

// The server for AG-UI of the people who make the protocol.
let mock: AGUIMock;
let url: string;
beforeEach(async () => {
  mock = new AGUIMock({ host: '127.0.0.1', port: 0 });
  url = await mock.start();
});
afterEach(() => mock.stop());

const sessionOf = () => {
  const agent = createAgent({ client: createAGUIClient({ url }), tools: [createAGUIInterruptTool()] });
  return agent.openSession(agent.createSession());
};

test('a run with reasoning, state, steps, tools and usage is one reply', async () => {
  const usage = [{ model: 'm', inputTokens: 7, outputTokens: 3 }];
  const events = buildAGUICompositeResponse(
    [
      buildAGUIReasoningResponse('Hm'),
      buildAGUIStateUpdate({ city: 'Bern' }),
      buildAGUIStateDelta([{ op: 'add', path: '/days', value: 2 }]),
      buildAGUIToolCallResponse('search', '{"q":"x"}', { result: 'found' }),
      buildAGUIStepWithText('answer', 'Two days.'),
    ],
    { usage },
  );
  mock.onRun('plan', events);
  const session = await sessionOf();
  const { outcome, message = expect.unreachable() } = await session.send('plan');
  expect(outcome).toBe('completed');
  expect(extractTextContent(message)).toBe('Two days.');
  expect(message).toMatchObject({ usage: { input: 7, output: 3 }, model: 'm' });
  const named = message.content.map((part) => (part.type === 'provider' ? part.name : part.type));
  expect(named.filter((name) => name !== 'agui.message')).toEqual([
    'reasoning',
    'agui.state',
    'agui.state',
    'agui.tool',
    'agui.step',
    'text',
    'agui.step',
  ]);
  expect(readAGUIState(session.getMessages())).toEqual({ city: 'Bern', days: 2 });
});

test('an interrupt is approved, and the approval resumes the run', async () => {
  const [started, ...call] = buildAGUIToolCallResponse('send_mail', '{"to":"ada"}').slice(0, -1);
  const { toolCallId } = call[0] as unknown as { toolCallId: string };
  const interrupts = [{ id: 'i', reason: 'tool_call', toolCallId }];
  const ids = { threadId: 't', runId: 'r' };
  const end = { type: 'RUN_FINISHED', ...ids, outcome: { type: 'interrupt', interrupts } } as const;
  mock.onPredicate(
    ({ resume }) => resume?.[0]?.status === 'resolved',
    [
      { type: 'RUN_STARTED', ...ids },
      { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId, content: 'sent' },
      { type: 'RUN_FINISHED', ...ids, outcome: { type: 'success' } },
    ],
  );
  mock.onRun('mail', [...(started ? [started] : []), ...call, end]);
  const session = await sessionOf();
  const sent = session.send('mail');
  await until(() => expect(session.getStatus()).toBe('waiting'));
  const [waiting] = session.getMessages().flatMap(toolParts);
  await session.approve(waiting?.callId ?? '');
  expect((await sent).message?.content).toMatchObject([{ data: { toolCallId, name: 'send_mail', output: 'sent' } }]);
});
