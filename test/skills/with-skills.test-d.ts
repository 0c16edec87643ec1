import { createAgent, defineTool, type LLMClient, type ToolPart, type ToolsOf } from 'brooklet';
import { type Skills, withSkills } from 'brooklet/skills';
import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';

declare const client: LLMClient;
declare const skills: Skills;

it('keeps the types of the tools of the agent', () => {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ amount: z.number() }),
    execute: () => 1,
  });
  const agent = createAgent(withSkills({ client, tools: [pay] }, skills));
  type Paid = Extract<ToolPart<ToolsOf<typeof agent>>, { readonly name: 'pay'; readonly status: 'succeeded' }>;
  expectTypeOf<Paid['input']>().toEqualTypeOf<{ readonly amount: number }>();
  createAgent(withSkills({ client }, skills));
  createAgent(withSkills({ client, instructions: 'Be brief.' }, skills));
});
