import type { Message } from '../model/message.ts';
import type { ToolSpec } from '../model/settings.ts';
import type { RunOptions } from './session.ts';
import type { SessionEnv } from './session-env.ts';
import { prepareRequest } from '../context/prepare-request.ts';

/** What all requests of a session are made of. */
interface RequestConfig {
  readonly options: Pick<RunOptions, 'model' | 'maxTokens' | 'temperature' | 'output' | 'providerParams'>;
  /** Instructions and presets: see `toImmutable`. */
  readonly immutable: readonly Message[];
  readonly maxMessages: number | undefined;
  readonly tools: readonly ToolSpec[];
}

/** Returns the function that makes the requests of a session. */
export function createToRequest({ options, immutable, maxMessages, tools }: RequestConfig): SessionEnv['toRequest'] {
  let subset: { readonly names: RunOptions['tools']; readonly tools: readonly ToolSpec[] } | undefined;

  /** Invariant: the same array for the same names, so that values derived from the array are cached by its identity. */
  function toolsOf(names: RunOptions['tools']): readonly ToolSpec[] {
    if (names === undefined) return tools;
    if (subset?.names !== names) subset = { names, tools: tools.filter(({ name }) => names.includes(name)) };
    return subset.tools;
  }

  return (state, run, context) => {
    const { maxTokens, temperature, output }: RunOptions = { ...options, ...run };
    return prepareRequest(state, {
      immutable,
      tools: toolsOf(run.tools),
      // The agent's model and parameters belong to the agent's own client.
      model: run.model ?? (run.client ? undefined : options.model),
      maxTokens,
      temperature,
      output,
      toolChoice: run.toolChoice,
      providerParams: { ...(!run.client && options.providerParams), ...run.providerParams },
      maxMessages,
      assembled: context.assemble(state),
    });
  };
}
