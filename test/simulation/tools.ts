import { defineTool, type JsonObject, type Tool, type ToolOptions } from 'brooklet';
import type { Device } from './device.ts';
import type { Random } from './random.ts';

/** Tools by their traits; `slow` is the longest time that a call takes, in ms. */
const traits = {
  quick: {},
  slow: { slow: 2_000 },
  gated: { needsApproval: true },
  gatedSlow: { needsApproval: true, slow: 900 },
  brief: { needsApproval: true, approvalTimeout: 1_500 },
  late: { slow: 1_000, timeout: 500 },
  alone: { slow: 300, exclusive: true },
  aloneGated: { slow: 300, exclusive: true, needsApproval: true },
  again: { slow: 1_500, idempotent: true },
  againGated: { slow: 900, idempotent: true, needsApproval: true },
  last: { followUp: false },
  question: { answer: { type: 'number' }, approvalTimeout: 60_000 },
} as const;
type ToolName = keyof typeof traits;

const isToolName = (name: string): name is ToolName => name in traits;
export const toolNames: readonly ToolName[] = Object.keys(traits).filter(isToolName);
export const isIdempotent = (name: string): boolean => name.startsWith('again');
export const needsPerson = (name: string): boolean =>
  isToolName(name) && ('needsApproval' in traits[name] || 'answer' in traits[name]);
export const isExclusive = (name: string): boolean => name.startsWith('alone');

/** One execution of a tool. */
export interface Ran {
  readonly device: Device;
  readonly name: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly key: string;
  readonly attempt: number;
  readonly input: JsonObject;
  /** Whether the tool is still at work. */
  isOpen: boolean;
}

/** Options of a tool, and the longest time that a call takes, in ms. */
type Trait = { readonly slow?: number } & Partial<
  Pick<
    ToolOptions<JsonObject>,
    'needsApproval' | 'answer' | 'approvalTimeout' | 'timeout' | 'exclusive' | 'idempotent' | 'followUp'
  >
>;

/** @param observe is called when a tool begins to act */
export function createTools(device: Device, random: Random, observe: (ran: Ran) => void): readonly Tool[] {
  return toolNames.map((name) => {
    const { slow = 0, ...options }: Trait = traits[name];
    return defineTool({
      name,
      description: name,
      input: { type: 'object', properties: { n: { type: 'number' } } },
      ...options,
      async execute(input, { callId, sessionId, idempotencyKey: key, attempt, progress, signal }) {
        const ran: Ran = { device, name, sessionId, callId, key, attempt, input, isOpen: true };
        observe(ran);
        signal.addEventListener('abort', () => (ran.isOpen = false));
        progress(0.5);
        if (slow > 0) await new Promise<void>((resolve) => device.schedule(random.between(1, slow), resolve));
        ran.isOpen = false;
        if (random.chance(0.1)) throw new Error('It broke.');
        return 'done';
      },
    });
  });
}
