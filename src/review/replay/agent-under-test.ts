import type { AgentOptions } from '../../core/agent/agent-options.ts';
import { byName, type SessionConfig, sessionConfigs } from '../../core/agent/session-config.ts';
import type { SessionContext, RunContext } from '../../core/context/run-context.ts';
import { toImmutable } from '../../core/context/immutable.ts';
import { fromErrorInfo } from '../../core/error.ts';
import type { LLMClient, LLMRequest } from '../../core/model/llm.ts';
import type { Message } from '../../core/model/message.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { Policy } from '../../core/model/next.ts';
import { openRun, type SessionState } from '../../core/model/state.ts';
import type { RequestRecord, ToolSpec } from '../../core/model/settings.ts';
import type { Ports } from '../../core/ports.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { PreparedRequest } from '../../core/context/prepare-request.ts';
import { checkRequest, isSameRecord } from './check-request.ts';
import { isSameText } from './differences.ts';
import type { Facts, Limits } from './facts.ts';
import { extendsConversation } from './extends-conversation.ts';
import { createGrowingRequests } from './growing-requests.ts';
import { type NextRequest, nextRequest } from './next-request.ts';
import { nextRun } from './next-run.ts';
import type { ReplayOptions } from './options.ts';
import { recordedOptions } from './recorded-options.ts';
import { createRecordedStrategy } from './recorded-strategy.ts';
import type { Recording } from './recording.ts';
import { ReplayError } from './replay-error.ts';
import { isCutOff } from './is-cut-off.ts';
import { isInput } from './is-input.ts';
import { createRuleMeta } from './rule-meta.ts';
import type { StageAgent } from './stage.ts';
import { createStandInContext, type OpenCompaction } from './stand-in-context.ts';
import { createStandIn, type StandInEnv } from './stand-in-tools.ts';

/** What the agent under test is made of. */
export interface AgentParts extends StandInEnv {
  readonly options: ReplayOptions;
  readonly facts: Facts;
  readonly recording: Recording;
  readonly client: LLMClient;
  readonly ports: Ports;
  readonly getState: () => SessionState;
  /** Called when a compaction waits for its recorded result. Returns a function to call when the compaction ends or is cancelled. */
  readonly noteCompaction: (open: OpenCompaction) => () => void;
  /** Called with each request before it is sent. */
  readonly noteRequest: (request: LLMRequest) => void;
  readonly report: (error: ReplayError) => void;
}

/** The environment of the sessions of the agent under test. */
export interface AgentUnderTest {
  readonly env: StageAgent;
  /** Lets the session have these tools beside those of its next request. */
  readonly offer: (names: readonly string[]) => void;
  /** Notes an event of the session, or with `undefined` that another page has opened it: earlier messages may have changed. */
  readonly noteEvent: (event: SessionEvent | undefined) => void;
}

/** What requests with the same record, instructions and tools are made of, apart from the conversation. */
interface Base {
  readonly record: RequestRecord | undefined;
  readonly messages: NextRequest['immutable'] | undefined;
  readonly tools: NextRequest['tools'] | undefined;
  readonly options: AgentOptions;
  /** Instructions and presets, as the agent makes them. */
  readonly immutable: readonly Message[];
  readonly config: SessionConfig;
}

export function createAgentUnderTest(parts: AgentParts): AgentUnderTest {
  const { options, facts, recording, client, ports, getState, peek, noteRequest, report } = parts;
  const tools = new Map<string, Tool>();
  const configs = new Map<string, SessionConfig>();
  let base: Base | undefined;
  const isMeasured = options.contextWindow !== undefined || options.context !== undefined;
  let requests = 0;

  const next = (isNow: boolean): NextRequest | undefined => nextRequest(recording, getState(), isNow);

  function toTools(specs: readonly ToolSpec[]): readonly Tool[] {
    const real = options.tools;
    if (real === undefined) return specs.map((spec) => createStandIn(spec, parts));
    return options.toolResults === 'recorded' ? real.map((tool) => createStandIn(tool, parts, tool)) : real;
  }

  function optionsFor(request: NextRequest | undefined): AgentOptions {
    const strategy = options.client ? {} : { strategy: createRecordedStrategy(recording, parts.noteCompaction) };
    const context = isMeasured && { context: { ...options.context, ...strategy } };
    return { ...recordedOptions(request), ...options, ...context, client };
  }

  /** Returns what makes a request: the same as the last time for the same record, instructions and tools. */
  function baseOf(request: NextRequest | undefined): Base {
    const record = request?.reply.request;
    if (
      base &&
      isSameText(base.record, record) &&
      base.messages === request?.immutable &&
      base.tools === request?.tools
    )
      return base;
    const agentOptions = optionsFor(request);
    const { instructions, presets } = agentOptions;
    base = {
      record,
      messages: request?.immutable,
      tools: request?.tools,
      options: agentOptions,
      immutable: toImmutable(instructions, presets),
      config: configFor(request, agentOptions),
    };
    return base;
  }

  /** Returns the configuration that makes a request. */
  function configFor(request: NextRequest | undefined, agentOptions: AgentOptions): SessionConfig {
    const { instructions, tools: toolsId, ...record } = request?.reply.request ?? {};
    const { toolOutput: _toolOutput, pinned: _pinned, toolChoice: _toolChoice, ...parameters } = record;
    const key = JSON.stringify([instructions, toolsId, parameters]);
    const known = configs.get(key);
    if (known) return known;
    const offered = byName(toTools(request?.tools ?? []));
    const config = sessionConfigs(agentOptions, offered, ports)(byName([]));
    configs.set(key, config);
    return config;
  }

  const standIn = createStandInContext({
    ...parts,
    nextReply: () => next(true)?.reply,
    immutable: () => baseOf(next(true)).immutable,
    maxMessages: () => baseOf(next(true)).options.maxMessages,
  });
  const context: SessionContext = {
    isNeeded: () => false,
    report: (state) => baseOf(next(false)).config.context.report(state),
    forRun(run) {
      const runContext = isMeasured ? baseOf(next(false)).config.context.forRun(run) : standIn;
      // Of what was done between the start of the run and its first step, the log comes first: the page loaded code there once.
      const ready: RunContext['ready'] = () => recording.until((event) => isOwn(event, peek()));
      const { shouldCompact, compact, assemble } = runContext;
      return {
        ready,
        shouldCompact,
        compact,
        assemble,
        get mayRetry() {
          return runContext.mayRetry;
        },
      };
    },
  };

  let mayDiffer = false;
  const grow = createGrowingRequests(() => {
    const might = mayDiffer;
    mayDiffer = false;
    return might;
  });

  function prepare(
    { reply }: NextRequest,
    { options: { maxMessages }, immutable }: Base,
    state: SessionState,
    toRequest: (from: SessionState) => PreparedRequest,
  ): PreparedRequest {
    const isCounted = isMeasured || reply.context !== undefined || maxMessages !== undefined;
    return isCounted ? toRequest(state) : grow(state, immutable.length, toRequest);
  }

  function offer(names: readonly string[]): void {
    if (tools.size === 0) setTools(toTools(next(false)?.tools ?? []));
    if (options.tools) return;
    for (const name of names)
      if (!tools.has(name)) tools.set(name, createStandIn(facts.specs.get(name) ?? unknownTool(name), parts));
  }

  function setTools(offered: Iterable<Tool>): void {
    tools.clear();
    for (const tool of offered) tools.set(tool.name, tool);
  }

  return {
    offer,
    noteEvent: (event) => void (mayDiffer ||= event === undefined || !extendsConversation(event)),
    env: {
      ports,
      client,
      tools,
      context,
      toRequest(state, run, runContext) {
        const request = next(true);
        if (request === undefined) throw unexpected(recording, requests + 1, report);
        const from = baseOf(request);
        setTools(from.config.tools.values());
        const prepared = prepare(request, from, state, (its) => from.config.toRequest(its, run, runContext));
        // Invariant: the answers of the log change no request. To freeze each message of each request again would cost most of a long replay.
        if (!options.client) Object.freeze(prepared.request);
        noteRequest(prepared.request);
        requests++;
        const difference = isSameRecord(prepared, request)
          ? undefined
          : checkRequest(prepared.request, request, requests);
        if (difference) report(difference);
        return prepared;
      },
      policy: createPolicy(parts, tools),
      isUnseen: isUnseen(options),
      meta: createRuleMeta(recording, facts),
      present: options.present,
      needsApproval: options.needsApproval,
      formatRejection: options.formatRejection ?? (({ callId }) => facts.decided.get(callId)?.rejectionText ?? ''),
    },
  };
}

/** Whether no function of the agent under test reads what the session has. */
function isUnseen({
  client,
  tools,
  context,
  stopWhen,
  needsApproval,
  present,
  formatRejection,
}: ReplayOptions): boolean {
  return [client, tools, context, stopWhen, needsApproval, present, formatRejection].every(
    (option) => option === undefined,
  );
}

/** Returns the description of a tool that no request had. */
function unknownTool(name: string): ToolSpec {
  return { name, description: '', inputSchema: { type: 'object' } };
}

/** Whether the agent itself records an event as the next step of a run. */
function isOwn(event: SessionEvent, state: Pick<SessionState, 'queue'>): boolean {
  if (event.type === 'run.ended') return event.outcome === 'completed' || event.outcome === 'limit';
  return event.type !== 'run.started' && !isInput(event, state);
}

/** Returns the limits of the agent: those that are passed, else those that ended the recorded runs. */
function createPolicy({ options, facts, recording, peek }: AgentParts, tools: ReadonlyMap<string, Tool>): Policy {
  const limits = (): Limits => facts.limits.get(openRun(peek())?.id ?? nextRun(recording)?.runId ?? '') ?? {};
  const stopsHere = (): boolean => {
    const next = recording.upcoming();
    return next?.type === 'run.ended' && (next.limit === 'stopWhen' || next.limit === 'money');
  };
  const { maxSteps, budget } = options;
  const policy = {
    maxSteps: maxSteps ?? Number.MAX_SAFE_INTEGER,
    budget,
    stopWhen: options.stopWhen ?? stopsHere,
    tools,
    isHeld: recording.isHeld,
  };
  // Each run copies the policy, and getters are slow to copy.
  if (facts.limits.size === 0) return policy;
  return {
    ...policy,
    get maxSteps() {
      return maxSteps ?? limits().maxSteps ?? policy.maxSteps;
    },
    get budget() {
      return budget ?? limits().budget;
    },
  };
}

/** Returns the error for a request that the log does not have. */
function unexpected(recording: Recording, step: number, report: AgentParts['report']): Error {
  const event = recording.upcoming();
  if (event?.type === 'run.ended' && event.error) return fromErrorInfo(event.error);
  if (isCutOff(recording)) return new Error('The log ends here, or the run of this page.');
  const recorded = event ? `${event.type} (seq ${event.seq})` : 'its end';
  const message = `Request ${step} is not in the log: the agent asks the model where the log has ${recorded}.`;
  const error = new ReplayError(message, { what: 'request', seq: event?.seq, step, recorded: event });
  report(error);
  return error;
}
