import type { AgentOptions } from '../../core/agent/agent-options.ts';
import { defined } from '../../core/json.ts';
import { extractTextContent, type Message } from '../../core/model/message.ts';
import type { NextRequest } from './next-request.ts';

type RecordedOption =
  | 'instructions'
  | 'presets'
  | 'model'
  | 'temperature'
  | 'maxTokens'
  | 'providerParams'
  | 'maxMessages';

/** Returns the options of `createAgent` that made a recorded request, without its tools. */
export function recordedOptions(request: NextRequest | undefined): Pick<AgentOptions, RecordedOption> {
  const { model, temperature, maxTokens, providerParams, maxMessages } = request?.reply.request ?? {};
  return {
    ...defined({ model, temperature, maxTokens, providerParams, maxMessages }),
    ...toInstructions(request?.immutable ?? []),
  };
}

/** Returns the recorded instructions and presets as the options that made them. */
function toInstructions(immutable: readonly Message[]): Pick<AgentOptions, 'instructions' | 'presets'> {
  const [first, ...others] = immutable;
  return first?.role === 'system' && first.id === 'instructions'
    ? { instructions: extractTextContent(first), ...presetsOf(others) }
    : presetsOf(immutable);
}

/** Presets are an option of the context, even an empty list of them: its code would be loaded. */
function presetsOf(presets: readonly Message[]): Pick<AgentOptions, 'presets'> {
  return presets.length > 0 ? { presets } : {};
}
