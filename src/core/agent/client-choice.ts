import { type Observable, Subject } from 'rxjs';
import { fail } from '../error.ts';
import { defined } from '../json.ts';
import { current } from '../log/current.ts';
import { copyJson } from '../model/copy-json.ts';
import type { LLMClient } from '../model/llm.ts';
import { named, type OptionNames } from '../model/shapes/named.ts';
import { readFields, reading } from '../model/shapes/read-input.ts';
import { noClient } from '../no-client.ts';
import type { AgentOptions, SetClientOptions } from './agent-options.ts';

/** The options of an agent of which each request takes the present value. */
export type PresentOptions = Omit<AgentOptions, 'client'> & { readonly client: LLMClient };

/** The client of an agent, and the options that belong to its model. */
export interface ClientChoice {
  /** Returns the options that are in effect: the same reference until the next `set`. `client` is `noClient` where none is set. */
  options(): PresentOptions;
  set(client: LLMClient | undefined, options?: SetClientOptions): void;
  get(): LLMClient | undefined;
  readonly client$: Observable<LLMClient | undefined>;
  /** Completes the stream. */
  close(): void;
}

const clientNames: OptionNames<SetClientOptions> = {
  model: true,
  providerParams: true,
  contextWindow: true,
  maxTokens: true,
  temperature: true,
};

/**
 * @param check throws `INVALID_CONFIG` for an option of an agent of a wrong type
 * @throws AgentError `INVALID_CONFIG` for `providerParams` that JSON cannot represent, and for a model without a client
 */
export function createClientChoice(
  given: AgentOptions,
  check: (options: AgentOptions) => void = () => {},
): ClientChoice {
  const changes = new Subject<void>();
  const { client: first, model: _model, providerParams: _params, ...others } = given;
  let present = toPresent(given, first, given);
  const get = (): LLMClient | undefined => (present.client === noClient ? undefined : present.client);

  return {
    options: () => present,
    get,
    client$: current(changes, get),
    set(client, options = {}) {
      const own = readFields(options, 'The options of the client', 'INVALID_CONFIG');
      present = reading(
        'An option of the client',
        () => {
          named(own, clientNames, 'setClient');
          check({ ...others, ...own, ...defined({ client }) });
          return toPresent(others, client, own);
        },
        'INVALID_CONFIG',
      );
      changes.next();
    },
    close: () => changes.complete(),
  };
}

function toPresent(
  agent: Omit<AgentOptions, 'client'>,
  client: LLMClient | undefined,
  { providerParams, ...own }: SetClientOptions,
): PresentOptions {
  if (client === undefined && (own.model !== undefined || providerParams !== undefined))
    fail('INVALID_CONFIG', '`model` and `providerParams` belong to a client: pass the client with them.');
  return {
    ...agent,
    ...defined({
      ...own,
      providerParams: providerParams && copyJson(providerParams, '`providerParams`', 'INVALID_CONFIG'),
    }),
    client: client ?? noClient,
  };
}
