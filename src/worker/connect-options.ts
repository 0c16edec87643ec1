import { fail } from '../core/error.ts';
import type { ErrorListener } from '../core/caught-error.ts';
import { named, type OptionNames } from '../core/model/shapes/named.ts';
import { checkTool, type Tool } from '../core/tools/tool.ts';
import type { CreateOptions } from './host-options.ts';
import type { KeySource } from './page-key.ts';

/** Options of `connectAgent`. */
export interface ConnectOptions {
  /** Makes the options of the agent: the same function as in the worker. */
  readonly create: CreateOptions;
  /** Names the worker, and so the pages that share it: pages with the same store. Default `brooklet`. */
  readonly name?: string;
  /**
   * The version of the page, a hash of the build for example. Pages of a new build start a worker of their own; the old worker ends its runs first, and no
   * session is driven twice. Default: all versions share a worker, which is that of the oldest page that is open.
   */
  readonly build?: string;
  /** The keys that `keyOf` returns in the worker, by name. They go by the port, for each request, and are stored nowhere. */
  readonly keys?: Readonly<Record<string, KeySource>>;
  /** Tools that run in this page, because they need the DOM for example. The worker's agent has them beside its own; a call waits for a page that has its tool. */
  readonly tools?: readonly Tool[];
  /** Called with the errors of the worker's agent, and those of this page: see `AgentOptions.onError`. */
  readonly onError?: ErrorListener;
}

const names: OptionNames<ConnectOptions> = {
  create: true,
  name: true,
  build: true,
  keys: true,
  tools: true,
  onError: true,
};

/** @throws AgentError `INVALID_CONFIG` */
export function readConnectOptions(given: ConnectOptions): ConnectOptions {
  const options = { ...named(given, names, 'connectAgent') };
  const { create, name, build, keys = {}, tools = [], onError } = options;
  const refuse = (what: string, must: string): never =>
    fail('INVALID_CONFIG', `The option \`${what}\` of connectAgent must be ${must}.`);
  if (typeof create !== 'function') refuse('create', 'the function that makes the options of the agent');
  if (name !== undefined && (typeof name !== 'string' || name === '')) refuse('name', 'a text');
  if (build !== undefined && typeof build !== 'string') refuse('build', 'a text');
  if (onError !== undefined && typeof onError !== 'function') refuse('onError', 'a function');
  if (typeof keys !== 'object' || keys === null) refuse('keys', 'an object of keys by name');
  for (const [key, source] of Object.entries(keys)) {
    if (typeof source !== 'string' && typeof source !== 'function')
      refuse(`keys.${key}`, 'a key or a function that returns one');
    const { locked$ }: { readonly locked$?: unknown } = Object(source);
    const { subscribe }: { readonly subscribe?: unknown } = Object(locked$);
    if (locked$ !== undefined && typeof subscribe !== 'function')
      refuse(`keys.${key}.locked$`, 'an Observable of whether the key is locked');
  }
  if (!Array.isArray(tools)) refuse('tools', 'a list of tools');
  tools.forEach(checkTool);
  return { ...options, keys: { ...keys }, tools: [...tools] };
}
