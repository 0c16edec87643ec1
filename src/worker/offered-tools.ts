import { fail } from '../core/error.ts';
import { defined, toJson } from '../core/json.ts';
import { copyJson } from '../core/model/copy-json.ts';
import { withoutPrefixes } from '../core/model/message.ts';
import { isParts } from '../core/model/tool-result.ts';
import { elicitationOf } from '../core/tools/ask-person.ts';
import { capOutput } from '../core/tools/cap-output.ts';
import { createReport } from '../core/tools/report-thrown.ts';
import type { ErrorListener } from '../core/caught-error.ts';
import { engine, type Tool } from '../core/tools/tool.ts';
import type { CheckedInput } from '../core/tools/tool-types.ts';
import type { CallRequest, PageVerbs, ToolOffer } from './protocol.ts';

/** Returns what a worker has to know of a tool. */
export function toOffer(tool: Tool): ToolOffer {
  const { name, description, inputSchema, idempotent, exclusive, followUp } = tool;
  const { version, server, timeout, approvalTimeout, maxOutput } = tool[engine];
  return {
    name,
    description,
    inputSchema: copyJson(inputSchema, `The input schema of tool "${name}"`, 'INVALID_CONFIG'),
    version,
    ...defined({ idempotent, exclusive, followUp, server, timeout, approvalTimeout, maxOutput }),
  };
}

/**
 * Returns the verbs by which a worker runs the tools of this page.
 *
 * @param tools those that the page offers now, by name
 */
export function createToolVerbs(
  tools: ReadonlyMap<string, Tool>,
  onError: ErrorListener | undefined,
): Pick<PageVerbs, 'check' | 'checkAnswer' | 'call'> {
  /** Invariant: an attempt at a call runs once in this page, whatever the worker asks. */
  const attempts = new Set<string>();

  async function checkedOf({ name, version, input }: Pick<CallRequest, 'name' | 'version' | 'input'>, callId = '') {
    const tool = tools.get(name);
    if (tool === undefined || tool[engine].version !== version)
      return fail('TOOL_NOT_FOUND', `This page has no tool "${name}" of this version.`);
    const report = createReport(onError, name, { sessionId: '', callId });
    const checked = await tool[engine].check(input, report);
    return { tool, checked };
  }

  async function call(request: CallRequest, signal: AbortSignal, note: (value: unknown) => void) {
    const { sessionId, callId, idempotencyKey, attempt, answer, state } = request;
    const key = `${attempt} ${idempotencyKey}`;
    if (attempts.has(key)) fail('CALL_NOT_PENDING', 'The call has run in this page already.');
    attempts.add(key);
    const { tool, checked } = await checkedOf(request, callId);
    if (checked.problem !== undefined) return fail('INVALID_INPUT', checked.problem);
    signal.throwIfAborted();
    const progress = (value: unknown): void => note(toJson(value));
    const context = { signal, sessionId, callId, idempotencyKey, attempt, progress, ...defined({ answer, state }) };
    const result = await checked.execute(context);
    const question = elicitationOf(result);
    if (question !== undefined) {
      // The answer executes the same attempt again.
      attempts.delete(key);
      return { question, output: null };
    }
    const capped = capOutput(toJson(result), tool[engine].maxOutput);
    const output = isParts(capped) ? withoutPrefixes(capped) : capped;
    return {
      output,
      ...presentationOf(checked, output),
      ...defined({ requiresFollowUp: checked.requiresFollowUp(output) }),
    };
  }

  function presentationOf(checked: CheckedInput, output: Parameters<CheckedInput['present']>[0]) {
    try {
      const { summary, details } = checked.present(output);
      return defined({ summary, details: details && copyJson(details, 'The details', 'TOOL_FAILED') });
    } catch {
      return {};
    }
  }

  return {
    async check(request) {
      const { checked } = await checkedOf(request);
      if (checked.problem !== undefined) return { problem: checked.problem, needsApproval: true };
      const elicitation = checked.elicitation();
      return { needsApproval: await checked.needsApproval(), ...defined({ elicitation }) };
    },
    async checkAnswer({ answer, elicitation, ...request }) {
      const { checked } = await checkedOf(request);
      if (checked.problem !== undefined) return checked.problem;
      return (await checked.checkAnswer(answer, elicitation)).problem ?? null;
    },
    call: (request, { signal, note }) => call(request, signal, note),
  };
}
