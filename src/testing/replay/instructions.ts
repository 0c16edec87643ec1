import type { AgentOptions } from '../../core/agent/agent.ts';
import { extractTextContent, type Message } from '../../core/model/message.ts';

/** Returns the recorded instructions and presets as the options that made them. */
export function toInstructions(immutable: readonly Message[]): Pick<AgentOptions, 'instructions' | 'presets'> {
  const [first, ...others] = immutable;
  return first?.role === 'system' && first.id === 'instructions'
    ? { instructions: extractTextContent(first), presets: others }
    : { presets: immutable };
}
