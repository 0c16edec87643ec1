import type { ContextSettings } from '../context/context.ts';
import { createSessionContext, type SessionContext } from '../context/run-context.ts';
import { toImmutable } from '../context/immutable.ts';
import { copyJson } from '../model/copy-json.ts';
import { forClient } from '../context/for-client.ts';
import { messageInput } from '../model/shapes/input-shape.ts';
import { readInput } from '../model/shapes/read-input.ts';
import type { ToolSpec } from '../model/settings.ts';
import type { Ports } from '../ports.ts';
import { createToRequest } from '../session/to-request.ts';
import type { SessionEnv } from '../session/session-env.ts';
import { checkTool, type Tool } from '../tools/tool.ts';
import type { AgentOptions } from './agent-options.ts';
import { type ClientChoice, createClientChoice, type PresentOptions } from './client-choice.ts';
import type { Kind } from './kind.ts';

/** What the requests of a session are made of: instructions, presets, tools and parameters. */
export interface SessionConfig extends Pick<SessionEnv, 'toRequest'> {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly context: SessionContext;
  /** The session's own tools by name: each replaces the agent's tool of its name. */
  readonly own: Map<string, Tool>;
  /** Looks up the tool of this name again, after a change of the agent's tools or of `own`. */
  refresh(name: string): void;
  /** Of a session that this agent holds for another agent: see `agentTool`. */
  readonly kind?: Kind;
  /** Returns the same for another session. */
  copy(): SessionConfig;
}

/** @throws AgentError `INVALID_CONFIG` for an object that `defineTool` did not make */
export const byName = (tools: readonly Tool[]): Map<string, Tool> =>
  new Map(
    tools.map((tool) => {
      checkTool(tool);
      return [tool.name, tool];
    }),
  );

/** Makes the config of a session. @param own the session's own tools. @param instructions in the place of the agent's */
export type CreateSessionConfig = (own: Map<string, Tool>, instructions?: string) => SessionConfig;

/**
 * Reads once what all sessions of an agent share.
 *
 * @throws AgentError `INVALID_CONFIG` for presets and parameters that cannot be stored
 */
export function sessionConfigs(
  options: AgentOptions,
  agentTools: ReadonlyMap<string, Tool>,
  ports: Ports,
  choice: Pick<ClientChoice, 'options'> = createClientChoice(options),
): CreateSessionConfig {
  const { maxMessages = options.capacity } = options;
  const presets = options.presets?.map((preset) => readInput(preset, messageInput, 'A preset', 'INVALID_CONFIG'));

  return function create(own, instructions = options.instructions) {
    const tools = new Map([...agentTools, ...own]);
    const immutable = toImmutable(instructions, presets);
    /** Invariant: the same array for as long as the tools are the same, so that values derived from the array are cached by its identity. */
    let specs: readonly ToolSpec[] | undefined;
    /** Made with the first request, and again after a change of the tools or the client. */
    let toRequest: SessionConfig['toRequest'] | undefined;
    let present: PresentOptions | undefined;
    let settings: ContextSettings | undefined;

    const toolSpecs = (): readonly ToolSpec[] =>
      (specs ??= [...tools.values()]
        .filter(({ hidden }) => !hidden)
        .map(({ name, description, inputSchema }) => ({
          name,
          description,
          // A copy: the log has the schema that the model read, whatever the page does with its tool.
          inputSchema: copyJson(inputSchema, `The input schema of tool "${name}"`, 'INVALID_CONFIG'),
        })));

    /** Takes over the present client. */
    function refit(): PresentOptions {
      const now = choice.options();
      if (now !== present) {
        present = now;
        toRequest = settings = undefined;
      }
      return now;
    }

    const context = createSessionContext(() => {
      const now = refit();
      return (settings ??= { ...now, immutable, maxMessages, toolSpecs, ports });
    });

    return {
      tools,
      context,
      toRequest(state, run, of) {
        const now = refit();
        toRequest ??= createToRequest({
          options: now,
          immutable,
          maxMessages,
          tools: toolSpecs(),
        });
        return toRequest(state, forClient(run, now.client), of);
      },
      own,
      copy: () => create(new Map(own), instructions),
      refresh(name) {
        const tool = own.get(name) ?? agentTools.get(name);
        if (tool) tools.set(name, tool);
        else tools.delete(name);
        specs = toRequest = undefined;
      },
    };
  };
}
