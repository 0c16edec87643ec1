import { named } from '../core/model/shapes/named.ts';
import { agentFields, checkAgentNames } from '../core/agent/check-options.ts';
import type { AgentOptions } from '../core/agent/agent-options.ts';
import { byName, sessionConfigs } from '../core/agent/session-config.ts';
import { fail } from '../core/error.ts';
import { when } from '../core/log/current.ts';
import { createMeta } from '../core/log/meta.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { LLMClient } from '../core/model/llm.ts';
import { openRun, type SessionState } from '../core/model/state.ts';
import { type SessionStatus, statusOf } from '../core/model/status.ts';
import { browserPorts } from '../core/ports.ts';
import { compareReviews, type SessionChanges } from '../review/compare.ts';
import { createReview, type Review } from '../review/create-review.ts';
import type { ReviewStep } from '../review/steps.ts';
import { nextRequest } from '../review/replay/next-request.ts';
import { recordedOptions } from '../review/replay/recorded-options.ts';
import { createRecording } from '../review/replay/recording.ts';
import { openStage } from '../review/replay/stage.ts';
import type { ToolSpec } from '../core/model/settings.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { ReviewCall } from '../review/review-call.ts';
import { isSameJson } from '../review/replay/differences.ts';

/** What is done otherwise from a step on: options of `createAgent`. What is missing is as it was recorded. */
export interface WhatIfOptions extends Omit<AgentOptions, 'client' | 'store' | 'name' | 'idleTimeout'> {
  /** Answers from the step on. */
  readonly client: LLMClient;
  /** The step to do otherwise: index in `Review.steps`. */
  readonly step: number;
}

/** A session that went otherwise from one of its steps on. */
export interface WhatIf {
  /** What was recorded before the step, and what the agent did then. */
  readonly review: Review;
  /** How its steps differ from the recorded ones, to the end of the run. */
  readonly changes: SessionChanges;
  /** `waiting`: a call awaits a decision, and the run has not ended. */
  readonly status: SessionStatus;
}

/**
 * Continues the run of a log from one of its steps with another model, other instructions or other tools, and compares the result with the
 * recorded run. Without `tools`, calls have their recorded results, and a call with another input fails; nothing is stored.
 *
 *     const { changes } = await whatIf(stored.events, { step: 2, client, model: 'large', instructions: 'Ask before you pay.' });
 *     console.log(changes.firstDifference, changes.tokens);
 *
 * @param log all events of one session, in the order of `seq`
 *
 * Rejects with `INVALID_INPUT` for a step that the log does not have, or whose request it does not contain.
 */
export async function whatIf(log: readonly SessionEvent[], given: WhatIfOptions): Promise<WhatIf> {
  const { store: _store, name: _name, idleTimeout: _idleTimeout, ...names } = agentFields;
  const { step: index, ...options } = named(given, { ...names, step: true }, 'whatIf');
  checkAgentNames(options, 'whatIf');
  const recorded = createReview(log);
  const step =
    recorded.steps[index] ??
    fail('INVALID_INPUT', `The log has no step ${index}: it has ${recorded.steps.length} steps.`);
  const before = recorded.stateAt(step.seq - 1);
  const { events, status } = await goOn(
    { ...before, ...withoutOverridden(before, options) },
    { ...optionsOf(recorded, step, before), ...options },
  );
  const review = createReview([...recorded.events.filter(({ seq }) => seq < step.seq), ...events]);
  return { review, changes: compareReviews(createReview(toEndOf(recorded, step)), review), status };
}

/** Continues the open run of a state, until it ends or waits for a person. */
async function goOn(
  state: SessionState,
  options: AgentOptions & Pick<WhatIfOptions, 'client'>,
): Promise<{ readonly events: readonly SessionEvent[]; readonly status: SessionStatus }> {
  const { client, maxSteps = 10, budget, stopWhen, present, formatRejection, onError, tools = [] } = options;
  const events: SessionEvent[] = [];
  const ports = { ...browserPorts, ...options.ports };
  const config = sessionConfigs(options, byName(tools), ports)(byName([]));
  const stage = openStage(state, {
    ...config,
    client,
    ports,
    present,
    needsApproval: options.needsApproval,
    formatRejection,
    onError,
    policy: { maxSteps, budget, stopWhen, tools: config.tools },
    meta: createMeta(),
    record: (event) => events.push(event),
    whenStored: async () => {},
  });
  const run = openRun(state) ?? fail('INVALID_INPUT', 'The step belongs to no run.');
  stage.runs.drive(run.id).advance();
  await when(stage.log.view(statusOf), (status) => status !== 'running');
  const status = statusOf(stage.log.getState());
  stage.session.unload(false);
  return { events, status };
}

/** Returns the options of the agent at a step. */
function optionsOf(recorded: Review, step: ReviewStep, before: SessionState): Omit<AgentOptions, 'client'> {
  const request = nextRequest(createRecording(recorded.events.filter(({ seq }) => seq >= step.seq)), before, true);
  if (request?.reply.request === undefined)
    return fail('INVALID_INPUT', `The log does not contain the request of step ${step.index}: it is of version 1.`);
  const tools = request.tools.map((spec) => createRecordedTool(spec, recorded.calls));
  return { ...recordedOptions(request), tools };
}

/** Returns the open run without the settings that the options replace, and without the need of what is not stored. */
function withoutOverridden({ run }: SessionState, options: object): Pick<SessionState, 'run'> | undefined {
  if (run?.settings === undefined) return undefined;
  const kept = Object.entries(run.settings).filter(([name]) => name !== 'needs' && !(name in options));
  return { run: { ...run, settings: Object.fromEntries(kept) } };
}

/** Returns the recorded events up to the end of the run to which a step belongs. */
function toEndOf({ events, runs }: Review, { runId }: ReviewStep): readonly SessionEvent[] {
  const end = runs.find((run) => run.runId === runId)?.endSeq ?? Infinity;
  return events.filter(({ seq }) => seq <= end);
}

/**
 * Returns a tool without effects: a call with a recorded input has the recorded result, and any other call fails.
 *
 * @param calls the recorded calls of all tools
 */
function createRecordedTool({ name, description, inputSchema }: ToolSpec, calls: readonly ReviewCall[]): Tool {
  return defineTool({
    name,
    description,
    input: inputSchema,
    execute(given) {
      const isSame = (call: ReviewCall): boolean =>
        call.name === name && isSameJson(call.decision?.editedInput ?? call.input, given);
      const call = calls.findLast((one) => isSame(one) && one.outcome !== undefined);
      if (call?.outcome === 'succeeded') return call.output ?? null;
      throw new Error(typeof call?.output === 'string' ? call.output : 'No result is recorded for this input.');
    },
  });
}
