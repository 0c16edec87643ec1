import { fingerprintOf } from '../core/model/fingerprint.ts';
import type { ToolPart } from '../core/model/message.ts';
import { expiryOf } from '../core/model/between-runs.ts';
import type { SessionState } from '../core/model/state.ts';
import type { AGUIInterrupt } from './event.ts';

/** The latest time that a date can have: ms since the epoch. */
const lastDate = 8.64e15;

/** Returns the interrupt for a call that awaits a person. */
export function toInterrupt(call: ToolPart, { tools }: SessionState): AGUIInterrupt {
  const { callId, name, approval } = call;
  const { elicitation } = approval ?? {};
  const expiry = expiryOf(call);
  const inputSchema = tools?.tools.find((tool) => tool.name === name)?.inputSchema ?? { type: 'object' };
  const common = {
    id: callId,
    toolCallId: callId,
    metadata: { fingerprint: fingerprintOf(call) },
    ...(expiry <= lastDate && { expiresAt: new Date(expiry).toISOString() }),
  };
  if (elicitation) {
    const message = typeof elicitation.title === 'string' ? elicitation.title : `${name} needs an answer.`;
    return { ...common, reason: 'input_required', message, responseSchema: elicitation };
  }
  return {
    ...common,
    reason: 'tool_call',
    message: `Run ${name}?`,
    responseSchema: {
      type: 'object',
      properties: { approved: { type: 'boolean' }, reason: { type: 'string' }, editedArgs: inputSchema },
      required: ['approved'],
    },
  };
}
