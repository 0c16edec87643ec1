import { finalize, map } from 'rxjs';
import type { EventBody } from '../core/model/event.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { engine, type Tool } from '../core/tools/tool.ts';
import { withVersion } from '../core/tools/with-version.ts';
import { isFor, modelDescription } from './definition.ts';
import { refuseCall, runCall } from './run-call.ts';
import { type Execution, isOfApp, type ToolEnv, type ToolVersion } from './tool-env.ts';

/**
 * Makes a tool of this package of a tool of a server. Each call needs approval, unless the page trusts the server and the server calls the
 * tool read-only, or the page decides otherwise. Invariant: an approval applies to one version of name, description, schemas and hints.
 *
 * A question of the server ends the execution: the call awaits the answer like any other elicitation, and is executed again with it.
 */
export function createMCPTool(env: ToolEnv, tool: ToolVersion): Tool {
  const { definition, toolName, version } = tool;
  const { readOnlyHint, idempotentHint } = definition.annotations;
  const readOnly = env.trusted && readOnlyHint === true;
  const repeatable = readOnly || (env.trusted && idempotentHint === true);
  const executions = new Map<string, Execution>();

  const made = defineTool({
    name: toolName,
    description: modelDescription(definition),
    input: definition.inputSchema,
    needsApproval: () => tool.hasChanged() || (env.needsApproval(definition) ?? !readOnly),
    timeout: env.timeout,
    idempotent: repeatable,
    async execute(input, context) {
      const execution = executions.get(context.idempotencyKey);
      await tool.onRun();
      return runCall(env, tool, { input, context, repeatable, execution });
    },
  });
  const own = withVersion(made, version, env.url);
  const inner = own[engine];
  const hidden = !isFor('model', definition);

  return {
    ...own,
    hidden,
    [engine]: {
      ...inner,
      // `null` declines.
      checkAnswer: async (answer, call) => (answer === null ? undefined : inner.checkAnswer(answer, call)),
      // Of a hidden tool, the model has guessed the name.
      decide: async (call, decideEnv) => (hidden && !isOfApp(call) ? refuseCall(call) : inner.decide(call, decideEnv)),
      execute(call, executeEnv) {
        const key = `${executeEnv.sessionId}/${call.callId}`;
        const execution: Execution = { call };
        executions.set(key, execution);
        const toEvent = (event: EventBody): EventBody => {
          if (event.type !== 'call.ended' || event.outcome !== 'succeeded') return event;
          return { ...event, ...execution.ending };
        };
        return inner.execute(call, executeEnv).pipe(
          map(toEvent),
          finalize(() => executions.delete(key)),
        );
      },
    },
  };
}
