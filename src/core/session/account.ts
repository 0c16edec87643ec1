import type { EventBody } from '../model/event.ts';
import type { LLMRequest } from '../model/llm.ts';
import type { Usage } from '../model/message.ts';
import type { Refusal } from '../model/next.ts';
import type { Budget } from '../model/settings.ts';
import type { RunState, SessionState } from '../model/state.ts';
import { addSpending, noSpending, spendingOf } from '../model/usage.ts';
import { openChildrenOf } from '../model/children.ts';
import { createCounter } from '../context/count.ts';
import { fail } from '../error.ts';

/** Returns the cost of an answer; `undefined` where the price of the model is unknown: see `ContextOptions.cost`. */
export type CostOf = (usage: Usage, model: string | undefined) => number | undefined;

/** A session of the tree, as its account reads it. */
interface Member {
  readonly getState: () => SessionState;
  /** The agent's own, for runs without one. */
  readonly budget: Budget | undefined;
}

/** Returns the session, if it is in memory. */
export type FindMember = (sessionId: string) => Member | undefined;

/** What a tree has used, of which `reserved` is for requests under way. */
interface Used {
  readonly tokens: number;
  readonly steps: number;
  readonly money: number;
  readonly reserved: number;
  /** When a user last decided on a call of the tree: ms since the epoch. */
  readonly decidedAt: number;
}

/** Returns what the last run of a session has used, with the sessions of its open calls, and theirs. */
export function usedBy(state: SessionState, find: FindMember): Used {
  const { run } = state;
  const own = run ? spendingOf(run) : noSpending;
  let used: Used = { ...own, reserved: run?.reserved ?? 0, decidedAt: run?.decidedAt ?? 0 };
  for (const id of openChildrenOf(state)) {
    const child = find(id);
    if (child === undefined) continue;
    const below = usedBy(child.getState(), find);
    used = {
      ...addSpending(used, below),
      reserved: used.reserved + below.reserved,
      decidedAt: Math.max(used.decidedAt, below.decidedAt),
    };
  }
  return used;
}

/** A budget that applies to a session: its own, or that of a session above. */
interface Limited {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly run: RunState;
  readonly budget: Budget;
}

/** The account of one run: what the budgets of its session and of all above it say. */
export interface Account {
  /** Returns why the next request may not be sent; `wait`, where what other requests have reserved may become free. */
  refuse(state: SessionState): Refusal | 'wait' | undefined;
  /** Returns the event with what it costs, where money is limited. */
  price(event: EventBody): EventBody;
}

interface AccountEnv {
  readonly find: FindMember;
  readonly cost: CostOf | undefined;
  /** Returns the next request. */
  readonly toRequest: (state: SessionState) => LLMRequest;
}

export function createAccount(sessionId: string, { find, cost, toRequest }: AccountEnv): Account {
  const counter = createCounter();
  /** What the request that was allowed last may cost. */
  let reserved = 0;
  let model: string | undefined;

  function limited(): readonly Limited[] {
    return chainOf(sessionId, find).filter(({ budget }) => Object.keys(budget).length > 0);
  }

  /** Returns the highest cost of the next request; `undefined` where it is not known. */
  function dearest(state: SessionState): number | undefined {
    const { messages, tools = [], maxTokens, model: asked } = toRequest(state);
    model = asked;
    if (cost === undefined || maxTokens === undefined) return undefined;
    const input = counter.messages(messages) + counter.tools(tools);
    const costs = [
      cost({ input, output: maxTokens }, asked),
      // A service may bill what it writes to its cache at a higher rate.
      cost({ input: 0, cacheWritten: input, output: maxTokens }, asked),
    ].filter((one) => one !== undefined);
    return costs.length === 0 ? undefined : Math.max(...costs);
  }

  return {
    refuse(state) {
      const all = limited();
      let highest: { readonly money: number | undefined } | undefined;
      let isBlocked = false;
      reserved = Infinity;
      for (const { sessionId: id, state: above, run, budget } of all) {
        const refusal = (limit: Refusal['limit']): Refusal => ({ limit, ...(id !== sessionId && { account: id }) });
        const used = usedBy(above, find);
        const { tokens = Infinity, steps = Infinity, time = Infinity, money } = budget;
        if (used.steps >= steps) return refusal('steps');
        // As for a session alone: its first request is always allowed.
        if (used.steps > 0 && used.tokens >= tokens) return refusal('tokens');
        if (used.steps > 0 && state.updatedAt - Math.max(run.since, used.decidedAt) >= time) return refusal('time');
        if (money === undefined) continue;
        const left = money - used.money;
        if (left + used.reserved <= 0) return refusal('money');
        highest ??= { money: dearest(state) };
        const isEnough = highest.money === undefined ? used.reserved === 0 : highest.money <= left;
        if (!isEnough && used.reserved === 0) return refusal('money');
        if (!isEnough) isBlocked = true;
        reserved = Math.min(reserved, highest.money ?? left);
      }
      return isBlocked ? 'wait' : undefined;
    },
    price(event) {
      const isPriced = event.type === 'reply.started' || event.type === 'reply.ended' || 'usage' in event;
      if (!isPriced || !limited().some(({ budget }) => budget.money !== undefined)) return event;
      if (event.type === 'reply.started') return { ...event, ...(reserved < Infinity && { reserved }) };
      if (!('usage' in event) || event.usage === undefined) return event;
      const named = 'model' in event ? event.model : undefined;
      const price = cost?.(event.usage, named ?? model) ?? cost?.(event.usage, model);
      return isAmount(price) ? { ...event, cost: price } : event;
    },
  };
}

/**
 * Checks that the price of the model is known where money is limited.
 *
 * @throws AgentError `INVALID_CONFIG`: a model without a price would be free
 */
export function checkPrice(
  sessionId: string,
  { find, cost }: Pick<AccountEnv, 'find' | 'cost'>,
  budget: Budget | undefined,
  model: string | undefined,
): void {
  const [own, ...above] = chainOf(sessionId, find);
  const budgets = [budget ?? find(sessionId)?.budget ?? own?.budget, ...above.map((one) => one.budget)];
  if (budgets.every((one) => one?.money === undefined)) return;
  if (isAmount(cost?.({ input: 1, output: 1 }, model))) return;
  const named = model === undefined ? 'the model of the client: pass `model`' : `the model ${JSON.stringify(model)}`;
  fail('INVALID_CONFIG', `Money is limited, and \`context.cost\` returns no price for ${named}.`);
}

const isAmount = (cost: number | undefined): cost is number => cost !== undefined && cost >= 0 && cost < Infinity;

/** Returns the session and those above it that have an open run, with their budgets, from the session up. */
function chainOf(sessionId: string, find: FindMember): readonly Limited[] {
  const member = find(sessionId);
  if (member === undefined) return [];
  const ids = [...(member.getState().path ?? []).map((place) => place.sessionId), sessionId].reverse();
  return ids.flatMap((id) => {
    const one = find(id);
    const state = one?.getState();
    const run = state?.run;
    return state && run ? [{ sessionId: id, state, run, budget: run.settings?.budget ?? one?.budget ?? {} }] : [];
  });
}
