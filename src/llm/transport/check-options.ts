import { fail } from '../../core/error.ts';
import { word } from '../../core/model/shapes/fields.ts';
import {
  callable,
  count,
  flag,
  having,
  jsonObject,
  maybe,
  range,
  type Shape,
  withMethods,
} from '../../core/model/shapes/shape.ts';

/**
 * Checks options where they are given: a wrong number would switch a limit off, or make a timer fire at once.
 *
 * @param owner for the message, for example `withRetry`
 * @throws AgentError `INVALID_CONFIG` with the name of the option and what it must be
 */
export function checkOptions(options: object, fields: { readonly [option: string]: Shape }, owner: string): void {
  const flaw = having(fields)(options, '');
  if (flaw) fail('INVALID_CONFIG', `The option \`${flaw.field}\` of ${owner} ${flaw.reason}.`);
}

const key: Shape = (value, field) => {
  if (typeof value === 'string') return undefined;
  if (typeof value !== 'function') return { field, reason: 'is neither a text nor a function' };
  return maybe(withMethods('subscribe'))(Reflect.get(value, 'locked$'), `${field}.locked$`);
};

/** Returns the shapes of the options. A function, so that a page whose clients check nothing drops them. */
function clientOptions(): { readonly [option: string]: Shape } {
  /** A time in ms, or a size; `Infinity` for none. */
  const limit = maybe(range(1, Infinity));
  return {
    model: maybe(word),
    stream: maybe(flag),
    maxTokens: maybe(count(1)),
    timeouts: maybe(having({ first: limit, idle: limit, stall: limit })),
    limits: maybe(having({ event: limit, stream: limit, calls: limit, call: limit })),
    apiKey: maybe(key),
    headers: maybe(jsonObject),
    compat: maybe(jsonObject),
    sealedReasoning: maybe(flag),
    cache: maybe(flag),
    allowLan: maybe(flag),
    fetch: maybe(callable),
    maxRetries: maybe(count()),
    onRetry: maybe(callable),
    delay: maybe(callable),
  };
}

/** Checks the options of a client over a network. @throws AgentError `INVALID_CONFIG` */
export function checkClientOptions(options: object, owner: string): void {
  checkOptions(options, clientOptions(), owner);
}
