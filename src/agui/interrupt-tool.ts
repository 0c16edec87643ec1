import type { EventBody } from '../core/model/event.ts';
import { hash } from '../core/model/hash.ts';
import type { ToolPart } from '../core/model/message.ts';
import { toObject, toText } from '../core/model/read-json.ts';
import { decide } from '../core/tools/decide.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { execute } from '../core/tools/execute.ts';
import { engine, type Tool } from '../core/tools/tool.ts';
import type { CheckedTool } from '../core/tools/tool-types.ts';
import { toElicitation, toPayload } from './interrupts.ts';
import { interruptTool } from './messages.ts';

/**
 * Creates the tool with which a person answers the interrupts of a remote agent (`createAGUIClient`). Each interrupt is one of its calls: an
 * approval where the agent asks whether it may continue, an elicitation where it asks for anything else. The calls wait in the log, across
 * reloads and in every tab, and their decisions are sent back with the next run of the remote agent (`resume`). An approval rule applies to the
 * same tool of the remote agent only.
 *
 *     createAgent({ client: createAGUIClient({ url }), tools: [createAGUIInterruptTool()] })
 */
export function createAGUIInterruptTool(): Tool {
  const tool = defineTool({
    name: interruptTool,
    description: 'Asks the user what the remote agent needs before it continues.',
    input: {
      type: 'object',
      properties: { id: { type: 'string' }, reason: { type: 'string' }, input: { type: 'object' } },
      required: ['id', 'reason'],
    },
    needsApproval: true,
    idempotent: true,
    execute: () => undefined,
  });
  const inner = tool[engine];
  /** The tool as it is for one call: an approval rule for one remote tool applies to no other one. */
  const checkedFor = (call: ToolPart): CheckedTool => ({
    ...inner,
    version: versionOf(call),
    async check(input) {
      const checked = await inner.check(input);
      if (checked.problem !== undefined) return checked;
      return {
        ...checked,
        elicitation: () => toElicitation(toObject(call.input)),
        execute: async ({ answer }) => toPayload(call, answer),
      };
    },
  });

  return {
    ...tool,
    [engine]: {
      ...inner,
      async decide(call, env) {
        const expiresAt = Date.parse(toText(toObject(call.input).expiresAt));
        const events = await decide(call, checkedFor(call), env);
        return Number.isNaN(expiresAt) ? events : events.map((event) => withExpiry(event, expiresAt));
      },
      execute: (call, env) => execute(call, checkedFor(call), env),
    },
  };
}

function withExpiry(event: EventBody, expiresAt: number): EventBody {
  return event.type === 'approval.requested' ? { ...event, expiresAt } : event;
}

function versionOf({ input = {} }: ToolPart): string {
  const { tool, reason, message, responseSchema } = input;
  return hash(JSON.stringify([interruptTool, tool ?? [reason, message], responseSchema]));
}
