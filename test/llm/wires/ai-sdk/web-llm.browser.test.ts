import { webLLM } from '@browser-ai/web-llm';
import { createAgent, defineTool } from 'brooklet';
import { createAISDKClient } from 'brooklet/ai-sdk';
import { describe, expect, test } from 'vitest';
import { type EngineAnswer, FakeEngineWorker } from '../../../support/web-llm-worker.ts';

// `@browser-ai/web-llm` and the engine proxy of `@mlc-ai/web-llm`, in a page; the worker alone is a fake, since it needs a GPU and gigabytes.

const toolCall = '```tool_call\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n```';

function createModel(answers: readonly EngineAnswer[], options: { loads?: boolean; heldAfter?: number } = {}) {
  const worker = new FakeEngineWorker(answers, options);
  return { worker, model: webLLM('Llama-3.2-3B-Instruct-q4f16_1-MLC', { worker: worker as unknown as Worker }) };
}

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  execute: ({ a, b }) => Number(a) + Number(b),
});

describe('a model of web-llm', () => {
  test('is loaded with progress, runs a tool, and answers the second question', async () => {
    const { worker, model } = createModel([['I add. ', toolCall], ['Three', '.'], ['Yes.']]);
    const progress: number[] = [];
    const client = createAISDKClient(model, { onLoad: (loaded) => progress.push(loaded) });
    expect(await client.availability()).toBe('downloadable');
    const agent = createAgent({ client, tools: [add], instructions: 'Be brief.' });
    const session = await agent.openSession(agent.createSession());
    await session.send('1 + 2?');
    await session.send('Sure?');
    expect(progress).toEqual([0.25, 1]);
    expect(await client.availability()).toBe('available');
    expect(
      session
        .getMessages()
        .map(({ content }) =>
          content.map((part) => (part.type === 'text' ? part.text : part.type === 'tool' ? part.output : part.type)),
        ),
    ).toEqual([['1 + 2?'], ['I add. ', 3], ['Three.'], ['Sure?'], ['Yes.']]);
    expect(session.getMessages()[2]?.usage).toMatchObject({ input: 12, output: 4 });
    expect(JSON.stringify(worker.requests[1])).toContain('tool_result');
    expect(worker.requests[2]).toHaveLength(6);
    expect(worker.kinds.filter((kind) => kind === 'interruptGenerate')).toEqual([]);
  });

  test('is interrupted once when the run is cancelled, and answers again', async () => {
    const { worker, model } = createModel([['Once upon', ' a time']], { heldAfter: 1 });
    const agent = createAgent({ client: createAISDKClient(model) });
    const session = await agent.openSession(agent.createSession());
    const running = session.send('Tell me.');
    await new Promise<void>((resolve) => {
      const subscription = session.messages$.subscribe((messages) => {
        if (messages.at(-1)?.role !== 'assistant' || messages.at(-1)?.content.length === 0) return;
        resolve();
        queueMicrotask(() => subscription.unsubscribe());
      });
    });
    session.cancel();
    await running;
    expect(worker.kinds.filter((kind) => kind === 'interruptGenerate')).toHaveLength(1);
    expect(session.getMessages().at(-1)).toMatchObject({ status: 'interrupted' });
    const { worker: second, model: other } = createModel([['Well.']]);
    await session.send('Another one.', { client: createAISDKClient(other) });
    expect(session.getMessages().at(-1)?.content).toEqual([{ type: 'text', text: 'Well.' }]);
    expect(second.kinds).not.toContain('interruptGenerate');
  });

  test('generates nothing when the run is cancelled while the model is loading', async () => {
    const { worker, model } = createModel([['Hello.']], { loads: false });
    const agent = createAgent({ client: createAISDKClient(model) });
    const session = await agent.openSession(agent.createSession());
    const running = session.send('Hi');
    await expect.poll(() => worker.kinds).toContain('reload');
    session.cancel();
    await running;
    worker.load();
    await expect.poll(() => model.isModelInitialized).toBe(true);
    expect(worker.requests).toEqual([]);
  });
});
