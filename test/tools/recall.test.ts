import type { Message } from 'brooklet';
import { recallTool } from 'brooklet/tools';
import { reply } from 'brooklet/testing';
import { describe, expect, it } from 'vitest';
import { addTurns, allText, createStage, words } from '../support/context-stage.ts';
import { run } from './run.ts';

const messages: readonly Message[] = [
  { id: 'x', role: 'user', content: [{ type: 'text', text: 'Where does the ferry go?' }], timestamp: 0 },
  {
    id: 'y',
    role: 'assistant',
    content: [
      { type: 'text', text: 'To the island.' },
      {
        type: 'tool',
        callId: 'c',
        name: 'tides',
        status: 'succeeded',
        inputText: '{"port":"Leith"}',
        output: 'high '.repeat(100),
      },
    ],
    timestamp: 0,
  },
];
const tool = recallTool({ messages: (sessionId) => (sessionId === 's' ? messages : []), pageSize: 100 });

describe('recallTool', () => {
  it('returns a message by its reference, whole outputs included, in pages', async () => {
    const first = await run(tool, { reference: 'm2' });
    expect(first.output).toMatchObject({ length: 577, nextFrom: 100 });
    const last = await run(tool, { reference: '[m2]', from: 500 });
    expect(last.output).toEqual({ text: expect.stringMatching(/high \)$/), length: 577 });
    expect(first.presentation.summary).toBe('Recalled m2');
  });

  it('finds messages by words, in text and in tool outputs', async () => {
    expect((await run(tool, { words: 'FERRY go' })).output).toMatchObject({ found: [{ reference: 'm1' }], total: 1 });
    expect((await run(tool, { words: 'leith' })).output).toMatchObject({ found: [{ reference: 'm2' }] });
    expect((await run(tool, { words: 'whale' })).output).toEqual({ found: [], total: 0 });
  });

  it('lists the valid references if there is no such message', async () => {
    await expect(run(tool, { reference: 'm9' })).rejects.toThrow('m1 to m2');
    await expect(run(tool, { reference: 'nonsense' })).rejects.toThrow('m1 to m2');
    await expect(run(tool, {})).rejects.toThrow('Pass `reference` or `words`.');
  });

  it('returns compacted messages to the model', async () => {
    const stage = await createStage(
      {
        contextWindow: 1_000,
        context: { countTokens: words },
        tools: [recallTool({ messages: (id) => stage.agent.getSession(id)?.getMessages() ?? [] })],
      },
      {
        chat: (_request, index) => (index === 0 ? [reply.call('recall', { reference: 'm1' })] : [reply.text('Done.')]),
      },
    );
    addTurns(stage.session, 8, 45);
    await stage.session.send('What did I say first?');
    const [first, second] = stage.asked().map(allText);
    expect(first).not.toContain('question 1 ');
    expect(second).toContain('[m1] user: question 1 ');
  });
});
