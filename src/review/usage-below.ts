import { firstValueFrom, Observable } from 'rxjs';
import { defined } from '../core/json.ts';
import { childrenOf } from '../core/model/children.ts';
import type { Usage } from '../core/model/message.ts';
import { named } from '../core/model/shapes/named.ts';
import { noUsage } from '../core/model/state.ts';
import { addUsage } from '../core/model/usage.ts';
import { browserPorts, type Ports } from '../core/ports.ts';
import type { Review } from './create-review.ts';
import type { OpenSession } from './open-session.ts';
import type { CostOf } from './usage.ts';

/** What the sessions below a session have used, at any depth, without that session itself. */
export interface UsageBelow {
  /** Number of sessions that have been read. */
  readonly sessions: number;
  /** Number of sessions that are not there, or cannot be read. */
  readonly missing: number;
  /** Tokens of all of them. */
  readonly usage: Usage;
  /** Cost of the answers whose price is known; missing without `cost`, and where no price is known. */
  readonly cost?: number;
  /** Whether all sessions below have been read. */
  readonly isComplete: boolean;
}

/** Options of `usageBelow`, all optional. */
export interface UsageBelowOptions {
  /** Cost of tokens. */
  readonly cost?: CostOf | undefined;
  /** Timers, for tests. Default: those of the browser. */
  readonly ports?: Pick<Ports, 'delay'>;
}

/** Sessions that are read before the page has a turn. */
const batch = 10;

/**
 * Reads the sessions that the calls of a session have started, and those below them, one after the other, and emits what they have used so far:
 * after every 10 sessions, and at the end, when it completes. Each session is read once, also where a damaged file names it twice or in a circle.
 * Unsubscribing ends the reading.
 *
 *     usageBelow(review, createStoreOpener(store)).subscribe(({ sessions, usage }) => console.log(sessions, usage.input));
 *
 * A session that cannot be opened counts as missing. Errors only with what `cost` throws.
 *
 * @throws AgentError `INVALID_CONFIG` for an unknown option
 */
export function usageBelow(
  review: Review,
  openSession: OpenSession,
  options: UsageBelowOptions = {},
): Observable<UsageBelow> {
  const { cost: costOf, ports = browserPorts } = named(options, { cost: true, ports: true }, 'usageBelow');
  return new Observable((subscriber) => {
    let result: UsageBelow = { sessions: 0, missing: 0, usage: noUsage, isComplete: false };
    const rootId = review.stateAt(0).id;
    const below = new Set<string>();
    let cancel = (): void => {};

    const add = ({ events }: Review): void => {
      for (const id of childrenOf(events)) if (id !== rootId) below.add(id);
    };
    const read = async (): Promise<void> => {
      add(review);
      // The set grows while it is read.
      for (const id of below) {
        if (subscriber.closed) return;
        const opened = await reviewOf(openSession, id);
        if (opened) add(opened);
        result = opened ? withUsage(result, opened, costOf) : { ...result, missing: result.missing + 1 };
        if ((result.sessions + result.missing) % batch !== 0) continue;
        subscriber.next(result);
        await new Promise<void>((resolve) => void (cancel = ports.delay(resolve, 0)));
      }
      subscriber.next({ ...result, isComplete: true });
      subscriber.complete();
    };
    subscriber.add(() => cancel());
    read().catch((thrown: unknown) => subscriber.error(thrown));
  });
}

/** Resolves with the first review of a session; with `undefined` where it cannot be opened. */
async function reviewOf(openSession: OpenSession, sessionId: string): Promise<Review | undefined> {
  try {
    return (await firstValueFrom(openSession(sessionId))).review;
  } catch {
    return undefined;
  }
}

function withUsage(before: UsageBelow, { usage: points }: Review, costOf: CostOf | undefined): UsageBelow {
  const costs = points.flatMap(({ usage, model }) => costOf?.(usage, model) ?? []);
  const cost = costs.length === 0 ? before.cost : costs.reduce((sum, one) => sum + one, before.cost ?? 0);
  return {
    ...before,
    sessions: before.sessions + 1,
    usage: addUsage(before.usage, points.at(-1)?.total ?? noUsage),
    ...defined({ cost }),
  };
}
