import { until } from '../../support/until.ts';
import type { NatsServer } from './nats-server.ts';

/** Does what whoever runs a cluster does while it does not work by itself. */
export interface Operator {
  /**
   * Resolves with what `look` finds. Where it has thrown for 20 s, the operator starts the servers that are down, then restarts each server with
   * its data, one after the other, and then all servers at once. After that it rejects, with what the servers say.
   */
  attend<T>(trouble: string, look: () => Promise<T>): Promise<T>;
  /** What a server says of its own copy of each stream. */
  streamsOf(server: NatsServer): Promise<readonly Copy[]>;
  readonly interventions: readonly string[];
  report(): Promise<string>;
}

/** A stream as one server has it. */
interface Copy {
  readonly name: string;
  readonly state: { readonly messages: number; readonly first_seq: number; readonly last_seq: number };
  readonly cluster?: { readonly leader?: string };
}

interface OperatorOptions {
  /** By name. Invariant: has the server that was started last. */
  readonly servers: ReadonlyMap<string, NatsServer>;
  /** Starts a server that is down, with its data. */
  readonly start: (name: string) => Promise<void>;
}

/** Lines of each log in a report. */
const reported = 40;

export function createOperator({ servers, start }: OperatorOptions): Operator {
  const interventions: string[] = [];

  async function streamsOf({ monitorUrl }: NatsServer): Promise<readonly Copy[]> {
    const answer = await fetch(`${monitorUrl}/jsz?streams=1`, { signal: AbortSignal.timeout(2000) });
    const { account_details: accounts = [] } = (await answer.json()) as {
      readonly account_details?: readonly { readonly stream_detail?: readonly Copy[] }[];
    };
    return accounts.flatMap(({ stream_detail: streams = [] }) => streams);
  }

  async function describe(server: NatsServer): Promise<string> {
    const copies = await streamsOf(server).catch((thrown: unknown) => String(thrown));
    // A server that is down is reported each second.
    const log = (await server.readLog(10 * reported)).split('\n').filter((line) => !line.includes('connect to route'));
    return [server.name, JSON.stringify(copies), ...log.slice(-reported)].join('\n');
  }
  const report = async (): Promise<string> => (await Promise.all(Array.from(servers.values(), describe))).join('\n\n');

  async function restart(names: readonly string[]): Promise<void> {
    await Promise.all(names.map(async (name) => servers.get(name)?.shutDown()));
    await Promise.all(names.map(start));
  }

  async function attend<T>(trouble: string, look: () => Promise<T>): Promise<T> {
    const names = [...servers.keys()];
    const isDown = names.some((name) => servers.get(name)?.isRunning() === false);
    const measures: readonly (readonly [measure: string, take: () => Promise<unknown>])[] = [
      ...(isDown ? [['starts what is down', () => Promise.all(names.map(start))] as const] : []),
      ...names.map((name) => [`restarts ${name}`, () => restart([name])] as const),
      ['restarts all servers', () => restart(names)],
    ];
    for (const [measure, take] of measures) {
      try {
        return await until(look);
      } catch (thrown) {
        interventions.push(`${trouble} (${String(thrown)}): the operator ${measure}\n${await report()}`);
        await take();
      }
    }
    try {
      return await until(look);
    } catch (thrown) {
      throw new Error(`${trouble}, also after all servers were restarted:\n${await report()}`, { cause: thrown });
    }
  }

  return { attend, streamsOf, interventions, report };
}
