import type { Agent } from '../core/agent/agent.ts';
import { fail, messageOf } from '../core/error.ts';
import { type Json, type JsonObject, parseJson } from '../core/json.ts';
import type { Part, ToolPart } from '../core/model/message.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { callsAwaitingApproval } from '../core/model/status.ts';
import type { AgentSession } from '../core/session/session.ts';
import { decide } from '../core/tools/decide.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { execute } from '../core/tools/execute.ts';
import { engine, type Tool } from '../core/tools/tool.ts';
import { toOutput } from './from-messages.ts';

/** The `$id` of the elicitation of a call that the front end runs. */
const frontEndMark = 'agui:front-end-tool';
/** Invariant: the result of a call fits every later version of its tool: the input was checked when the call was requested. */
const version = 'agui-front-end';

/** Returns whether a call that waits is run by the page of a front end: it waits for its result, not for a person. */
export function isFrontEndCall({ approval }: ToolPart): boolean {
  return approval?.elicitation?.$id === frontEndMark;
}

/** Returns the answer to a call for its result: a message of the role `tool`. */
export function toFrontEndAnswer({ content = '', error }: JsonObject): JsonObject {
  const problem = toText(error);
  return { content, ...(problem && { error: problem }) };
}

/**
 * Creates the tool for a tool of a front end. A call of it waits in the log like an elicitation, whose answer is the result that the front
 * end sends with a later run.
 *
 * @throws AgentError `INVALID_INPUT` for a description that is not one of a tool
 */
function createFrontEndTool(given: JsonObject): Tool {
  const { name, description, parameters } = given;
  const options = {
    name: toText(name),
    description: toText(description),
    idempotent: true,
    answer: {
      $id: frontEndMark,
      type: 'object',
      title: `The result of ${toText(name)}, which the front end runs`,
      properties: { content: {}, error: { type: 'string' } },
      required: ['content'],
    },
    execute: (_input: JsonObject, { answer }: { readonly answer?: Json }) => toResult(toObject(answer)),
  };
  try {
    const tool = defineTool({ ...options, input: { type: 'object', ...toObject(parameters) } });
    const ended = defineTool({ ...options, input: { type: 'object' } });
    return {
      ...tool,
      [engine]: {
        ...tool[engine],
        version,
        decide: (call, env) => decide(call, { ...tool[engine], version }, env),
        execute: (call, env) => execute(call, { ...ended[engine], version }, env),
        checkAnswer: ended[engine].checkAnswer,
      },
    };
  } catch (thrown) {
    return fail('INVALID_INPUT', `A tool of the front end cannot be used: ${messageOf(thrown)}`, thrown);
  }
}

function toResult({ content, error }: JsonObject): Json | readonly Part[] {
  const output = toOutput(content);
  if (error !== undefined) throw new Error(toText(content) || toText(error));
  return output;
}

/** The tools of the front end that each session has, as JSON, by name. */
const offered = new WeakMap<AgentSession, Map<string, string>>();

/**
 * Gives a session the tools of its front end, in the place of those of the run before. Each replaces the agent's tool of the same name.
 *
 * @throws AgentError `INVALID_INPUT` for a list with something else than tools, or with two of one name
 */
export function offerFrontEndTools(agent: Agent, session: AgentSession, given: Json | undefined): void {
  const before = offered.get(session) ?? new Map<string, string>();
  const wanted = toList(given).map((tool) => [toText(toObject(tool).name), toObject(tool)] as const);
  const now = new Map(wanted);
  if (now.size < wanted.length) fail('INVALID_INPUT', 'Two tools of the front end have the same name: rename one.');
  // A call that waits keeps its tool. After a reload it has none, and its result needs no schema.
  for (const { name } of callsAwaitingApproval(session.getState()).filter(isFrontEndCall))
    if (!now.has(name)) now.set(name, toObject(parseJson(before.get(name) ?? '') ?? { name }));
  const after = new Map([...now].map(([name, tool]) => [name, JSON.stringify(tool)]));
  const made = [...now].filter(([name]) => before.get(name) !== after.get(name));
  const tools = made.map(([, tool]) => createFrontEndTool(tool));
  for (const name of before.keys()) if (!now.has(name)) agent.removeTool(name, session.id);
  for (const tool of tools) agent.addTool(tool, session.id);
  offered.set(session, after);
}
