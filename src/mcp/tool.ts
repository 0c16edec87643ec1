import { finalize, map } from 'rxjs';
import { toObject } from '../core/model/read-json.ts';
import type { JsonObject } from '../core/json.ts';
import type { EventBody } from '../core/model/event.ts';
import type { ToolPart } from '../core/model/message.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { engine, type Tool } from '../core/tools/tool.ts';
import { withVersion } from '../core/tools/with-version.ts';
import { lazy } from '../core/lazy.ts';
import { modelDescription } from './definition.ts';
import type { ToolEnv, ToolVersion } from './tool-env.ts';

/** One execution of a call. */
interface Execution {
  readonly call: ToolPart;
  /** The question with which this execution ends, as an elicitation. */
  question?: JsonObject;
}

/** What makes calls, reads results and asks questions is loaded with the first call. */
const calls = lazy(() => import('./run-call.ts'));

/**
 * Makes a tool of this package of a tool of a server. Each call needs approval, unless the page trusts the server and the server calls the
 * tool read-only. Invariant: an approval applies to one version of name, description, schemas and hints.
 *
 * A question of the server ends the execution: the call awaits the answer like any other elicitation, and is executed again with it.
 */
export function createMCPTool(env: ToolEnv, tool: ToolVersion): Tool {
  const { definition, toolName, version } = tool;
  const { readOnlyHint, idempotentHint } = toObject(definition.annotations);
  const readOnly = env.trusted && readOnlyHint === true;
  const repeatable = readOnly || (env.trusted && idempotentHint === true);
  const executions = new Map<string, Execution>();

  const defined = defineTool({
    name: toolName,
    description: modelDescription(definition),
    input: definition.inputSchema,
    needsApproval: () => !readOnly || tool.hasChanged(),
    timeout: env.timeout,
    idempotent: repeatable,
    async execute(input, context) {
      const execution = executions.get(context.idempotencyKey);
      await tool.onRun();
      const { runCall } = await calls();
      const { output, question } = await runCall(env, tool, { input, context, repeatable, call: execution?.call });
      if (execution && question) execution.question = question;
      return output;
    },
  });
  const own = withVersion(defined, version);
  const inner = own[engine];

  return {
    ...own,
    [engine]: {
      ...inner,
      // `null` declines.
      checkAnswer: async (answer, call) => (answer === null ? undefined : inner.checkAnswer(answer, call)),
      execute(call, executeEnv) {
        const key = `${executeEnv.sessionId}/${call.callId}`;
        const execution: Execution = { call };
        executions.set(key, execution);
        const toQuestion = (event: EventBody): EventBody => {
          const elicitation = execution.question;
          if (event.type !== 'call.ended' || event.outcome !== 'succeeded' || !elicitation) return event;
          return { type: 'approval.requested', callId: call.callId, toolVersion: version, elicitation };
        };
        return inner.execute(call, executeEnv).pipe(
          map(toQuestion),
          finalize(() => executions.delete(key)),
        );
      },
    },
  };
}
