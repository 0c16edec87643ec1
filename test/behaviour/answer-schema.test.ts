import { type AgentSession, defineTool, type Tool } from 'brooklet';
import { type } from 'arktype';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { settled } from '../support/manual-client.ts';
import { ask, callIdOf, callsOf, stage } from '../support/stage.ts';

const common = { name: 'book', description: '' } as const;

/** A session with a call of the tool, which awaits its answer. */
async function asked(tool: Tool): Promise<AgentSession> {
  const s = stage({ tools: [tool] });
  await ask(s, ['book', '{"free":["1A","2B"]}']);
  return s.session;
}

describe('an answer with a Standard Schema', () => {
  const book = defineTool({
    ...common,
    input: z.object({ free: z.array(z.string()) }),
    answer: ({ free }) => z.object({ seat: z.enum(free), day: z.iso.date().transform((text) => new Date(text)) }),
    execute: (_input, { answer }) => `${answer.seat} on ${answer.day.toUTCString().slice(0, 3)}`,
  });

  test('is asked for as JSON Schema', async () => {
    const session = await asked(book);
    expect(callsOf(session)).toMatchObject([
      {
        status: 'awaiting-approval',
        approval: {
          elicitation: {
            type: 'object',
            properties: { seat: { type: 'string', enum: ['1A', '2B'] }, day: { type: 'string', format: 'date' } },
            required: ['seat', 'day'],
          },
        },
      },
    ]);
  });

  test('is checked and converted by the schema, and stored as it was given', async () => {
    const session = await asked(book);
    await session.answer(callIdOf(session), { seat: '2B', day: '2026-01-05' });
    await settled();
    expect(callsOf(session)).toMatchObject([
      { status: 'succeeded', output: '2B on Mon', approval: { answer: { seat: '2B', day: '2026-01-05' } } },
    ]);
  });

  test.each([
    [{ seat: '3C', day: '2026-01-05' }, 'answer.seat'],
    [{ seat: '2B', day: 'Monday' }, 'answer.day'],
  ])('still waits after the answer %j, which does not fit', async (answer, place) => {
    const session = await asked(book);
    await expect(session.answer(callIdOf(session), answer)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(place),
    });
    expect(callsOf(session)).toMatchObject([{ status: 'awaiting-approval' }]);
  });

  test('may be a schema that is a function itself', async () => {
    const session = await asked(
      defineTool({
        ...common,
        input: { type: 'object' },
        answer: type('string > 3'),
        execute: (_input, { answer }) => ({ answer }),
      }),
    );
    expect(callsOf(session)[0]?.approval?.elicitation).toMatchObject({ type: 'string', minLength: 4 });
    await expect(session.answer(callIdOf(session), 'tea')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await session.answer(callIdOf(session), 'water');
    await settled();
    expect(callsOf(session)).toMatchObject([{ status: 'succeeded', output: { answer: 'water' } }]);
  });

  test('fails the call if the tool has another schema by the time it runs', async () => {
    let seats = ['1A', '2B'];
    const session = await asked(
      defineTool({
        ...common,
        input: { type: 'object' },
        answer: () => z.enum(seats),
        execute: (_input, { answer }) => answer,
      }),
    );
    const answering = session.answer(callIdOf(session), '1A');
    session.events$.subscribe(({ type }) => {
      if (type === 'approval.decided') seats = ['2B'];
    });
    await answering;
    await settled();
    expect(callsOf(session)).toMatchObject([
      { status: 'failed', output: expect.stringContaining('The answer does not fit: answer:') },
    ]);
  });

  test('is refused in the definition of a tool if it has no JSON Schema', () => {
    const define = (): Tool =>
      defineTool({ ...common, input: { type: 'object' }, answer: z.date(), execute: () => 'never' });
    expect(define).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});
