import {
  defineTool,
  type Json,
  type JsonObject,
  type Part,
  type Tool,
  type ToolContext,
  type ToolPart,
} from 'brooklet';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const common = { description: '', input: z.object({ id: z.string() }) } as const;
const json = { description: '', input: { type: 'object' } } as const;

type Succeeded<Of extends Tool> = Extract<ToolPart<Of>, { status: 'succeeded'; name: Of['name'] }>;

describe('a tool keeps', () => {
  test('its name', () => {
    expectTypeOf(defineTool({ ...common, name: 'look', execute: () => 1 }).name).toEqualTypeOf<'look'>();
    const name: string = common.description;
    expectTypeOf(defineTool({ ...common, name, execute: () => 1 }).name).toEqualTypeOf<string>();
  });

  test('its input, as the model writes it', () => {
    const input = z.object({ day: z.string().transform((text) => new Date(text)), n: z.number().default(1) });
    const tool = defineTool({ name: 'a', description: '', input, execute: ({ day }) => day.getTime() });
    expectTypeOf<Succeeded<typeof tool>['input']>().toEqualTypeOf<{
      readonly day: string;
      readonly n?: number | undefined;
    }>();
  });

  test('its input by an arktype or valibot schema, and any JSON object by plain JSON Schema', () => {
    const ark = defineTool({ name: 'a', description: '', input: type({ n: 'number' }), execute: ({ n }) => n });
    expectTypeOf<Succeeded<typeof ark>['input']>().toEqualTypeOf<{ readonly n: number }>();
    const valibot = v.object({ n: v.number() });
    const vali = defineTool({ name: 'a', description: '', input: valibot, execute: ({ n }) => n });
    expectTypeOf<Succeeded<typeof vali>['input']>().toEqualTypeOf<{ readonly n: number }>();
    const plain = defineTool({ ...json, name: 'a', execute: () => 1 });
    expectTypeOf<Succeeded<typeof plain>['input']>().toEqualTypeOf<JsonObject>();
  });

  test('the output of `execute`, as JSON', () => {
    interface Row {
      at: Date;
      tags: string[];
      note?: string;
    }
    const tool = defineTool({ ...common, name: 'a', execute: async (): Promise<Row | undefined> => undefined });
    expectTypeOf<Succeeded<typeof tool>['output']>().toEqualTypeOf<{
      readonly at: string;
      readonly tags: readonly string[];
      readonly note?: string | undefined;
    } | null>();
  });

  test('parts, text and nothing as outputs', () => {
    const parts = defineTool({ ...json, name: 'a', execute: (): readonly Part[] => [] });
    expectTypeOf<Succeeded<typeof parts>['output']>().toEqualTypeOf<readonly Part[]>();
    const text = defineTool({ ...json, name: 'a', execute: (): string => 'x' });
    expectTypeOf<Succeeded<typeof text>['output']>().toEqualTypeOf<string>();
    const nothing = defineTool({ ...json, name: 'a', execute: () => {} });
    expectTypeOf<Succeeded<typeof nothing>['output']>().toEqualTypeOf<null>();
    const anything = defineTool({ ...json, name: 'a', execute: (): Json => 1 });
    expectTypeOf<Succeeded<typeof anything>['output']>().toEqualTypeOf<Json>();
  });

  test('the type of its `output` schema, which `execute` must return', () => {
    const output = z.object({ receipt: z.string() });
    const tool = defineTool({ ...common, name: 'pay', output, execute: async ({ id }) => ({ receipt: id }) });
    expectTypeOf<Succeeded<typeof tool>['output']>().toEqualTypeOf<{ readonly receipt: string }>();
    // @ts-expect-error a receipt is text
    defineTool({ ...common, name: 'pay', output, execute: () => ({ receipt: 1 }) });
    // @ts-expect-error there is no receipt
    defineTool({ ...common, name: 'pay', output, execute: async () => ({}) });
    // @ts-expect-error nothing is returned
    defineTool({ ...common, name: 'pay', output, execute: () => {} });
  });

  test('its output for `present` and `followUp`', () => {
    defineTool({
      ...common,
      name: 'pay',
      present: (_input, output) => {
        expectTypeOf(output).toEqualTypeOf<{ readonly receipt: string }>();
        return { summary: output.receipt };
      },
      followUp: (_input, output) => output.receipt === '',
      output: z.object({ receipt: z.string() }),
      execute: () => ({ receipt: '17' }),
    });
  });
});

describe('an answer', () => {
  test('has the type of its Standard Schema', () => {
    defineTool({
      ...common,
      name: 'ask',
      answer: z.object({ seat: z.string(), day: z.iso.date().transform((day) => new Date(day)) }),
      execute: (_input, { answer, signal }) => {
        expectTypeOf(answer).toEqualTypeOf<{ seat: string; day: Date }>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        // @ts-expect-error an answer has a seat and a day
        return answer.row as string;
      },
    });
    defineTool({
      ...common,
      name: 'ask',
      // A schema of arktype is a function itself.
      answer: () => type('string'),
      execute: (_input, { answer }) => expectTypeOf(answer).toEqualTypeOf<string>(),
    });
  });

  test('has the type of the schema that a function of the input returns', () => {
    defineTool({
      name: 'ask',
      description: '',
      input: z.object({ free: z.array(z.string()) }),
      answer: ({ free }) => z.enum(free),
      execute: (_input, { answer }) => {
        expectTypeOf(answer).toEqualTypeOf<string>();
        return { seat: answer };
      },
    });
  });

  test('is JSON for plain JSON Schema, and for a tool without `answer`', () => {
    defineTool({
      ...common,
      name: 'ask',
      answer: ({ id }) => ({ type: 'string', title: id }),
      execute: (_input, context) => expectTypeOf(context).toEqualTypeOf<ToolContext>(),
    });
    defineTool({
      ...common,
      name: 'ask',
      execute: (_input, { answer }) => expectTypeOf(answer).toEqualTypeOf<Json | undefined>(),
    });
  });
});
