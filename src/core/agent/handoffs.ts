import type { ApprovalPolicy } from '../tools/approval-policy.ts';
import { fail } from '../error.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Log } from '../log/log.ts';
import { handoffsIn } from '../model/handoffs.ts';
import type { SessionState } from '../model/state.ts';
import type { SessionStore } from '../model/store.ts';
import { engine, type Tool } from '../tools/tool.ts';
import type { Kind } from './kind.ts';
import { knownAgent } from './known-agents.ts';
import type { SessionConfig } from './session-config.ts';

/** An agent that may have a conversation: what its requests are made of, and who answers them. */
interface Holder {
  readonly config: Pick<SessionConfig, 'tools' | 'context' | 'toRequest'>;
  readonly kind: Pick<Kind, 'getClient' | 'getModel' | 'needsApproval'>;
}

/** What a session reads of the agent that has its conversation: each value is that of the present one. */
export interface Held extends Pick<SessionConfig, 'tools' | 'context' | 'toRequest'> {
  readonly getClient: Kind['getClient'];
  readonly getModel: () => string | undefined;
  readonly needsApproval: ApprovalPolicy | undefined;
  /** Returns the tool of any agent that this conversation can be passed to. */
  readonly findTool: (name: string) => Tool | undefined;
}

interface HandoffOptions {
  readonly log: Pick<Log, 'getState'>;
  readonly store: SessionStore | undefined;
  /** What `createAgent` has returned: a handoff to this agent returns to `own`. */
  readonly self: () => object | undefined;
  readonly own: Holder;
}

/**
 * Returns what a session reads of the agent that has its conversation. Which agent that is follows from the messages that are shown: an answer that
 * is regenerated before a handoff is one of the agent of that point.
 */
export function createHolders({ log, store, self, own }: HandoffOptions): Held {
  /** By the tool that passes the conversation. */
  const holders = new Map<Tool, Holder>();
  const hasHandoffs = (): boolean => [...own.config.tools.values()].some((tool) => tool[engine].handoff);

  function toHolder(tool: Tool, agent: object): Holder {
    const known = holders.get(tool) ?? (agent === self() ? own : undefined);
    if (known) return known;
    const found = knownAgent(agent);
    if (found === undefined) fail('INVALID_CONFIG', `The agent of ${tool.name} was not made by createAgent.`);
    if (found.store !== undefined && found.store !== store)
      fail('INVALID_CONFIG', `The agent of ${tool.name} has another store than the agent that calls it.`);
    const holder: Holder = { config: found.createConfig(), kind: found.kind };
    holders.set(tool, holder);
    return holder;
  }

  /**
   * Returns the agent that has the conversation. @param isStrict whether a handoff to an agent that is not here is an error; otherwise the agent
   * before it has the conversation
   *
   * @throws AgentError `TOOL_NOT_FOUND`
   */
  function holderOf(state: SessionState, isStrict: boolean): Holder {
    let holder = own;
    for (const { name, handoff = '' } of handoffsIn(state)) {
      const tool = holder.config.tools.get(name);
      const agent = tool?.[engine].handoff?.();
      if (tool && agent) holder = toHolder(tool, agent);
      else if (isStrict)
        fail(
          'TOOL_NOT_FOUND',
          `The conversation was passed to "${handoff}", and the agent that had it has no tool "${name}" any more: add the tool, or edit a message before.`,
        );
      else return holder;
    }
    return holder;
  }

  let last: { readonly messages: SessionState['messages']; readonly holder: Holder } | undefined;

  function present(): Holder {
    if (!hasHandoffs()) return own;
    const state = log.getState();
    if (last?.messages !== state.messages) last = { messages: state.messages, holder: holderOf(state, false) };
    return last.holder;
  }

  const tools = (): ReadonlyMap<string, Tool> => present().config.tools;

  return {
    tools: {
      get size() {
        return tools().size;
      },
      get: (name) => tools().get(name),
      has: (name) => tools().has(name),
      keys: () => tools().keys(),
      values: () => tools().values(),
      entries: () => tools().entries(),
      [Symbol.iterator]: () => tools()[Symbol.iterator](),
      forEach: (callback) => tools().forEach(callback),
    },
    context: {
      isNeeded: (state) => present().config.context.isNeeded(state),
      report: (state) => present().config.context.report(state),
      forRun(run) {
        const contexts = new Map<Holder, RunContext>();
        const now = (): RunContext => {
          const holder = present();
          const context = contexts.get(holder) ?? holder.config.context.forRun(run);
          contexts.set(holder, context);
          return context;
        };
        return {
          ready: () => now().ready?.(),
          shouldCompact: (state) => now().shouldCompact(state),
          compact: (state) => now().compact(state),
          assemble: (state) => now().assemble(state),
          counting: () => now().counting?.(),
          get mayRetry() {
            return now().mayRetry;
          },
        };
      },
    },
    toRequest: (state, run, context) => holderOf(state, true).config.toRequest(state, run, context),
    getClient: () => present().kind.getClient(),
    getModel: () => present().kind.getModel?.(),
    // Invariant: a policy of any agent that has the conversation applies to its calls.
    needsApproval(call) {
      const { needsApproval: policy } = present().kind;
      return policy ? policy(call) : false;
    },
    findTool(name) {
      const seen = new Set<Holder>();
      const find = (holder: Holder): Tool | undefined => {
        if (seen.has(holder)) return undefined;
        seen.add(holder);
        const found = holder.config.tools.get(name);
        if (found) return found;
        for (const tool of holder.config.tools.values()) {
          const agent = tool[engine].handoff?.();
          const below = agent && find(toHolder(tool, agent));
          if (below) return below;
        }
        return undefined;
      };
      return find(own);
    },
  };
}
