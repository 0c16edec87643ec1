import { type AgentErrorCode, fail } from '../../error.ts';
import { isJsonObject } from '../../json.ts';
import { reading } from './read-input.ts';
import { nearestName } from './nearest-name.ts';

/** An entry for each option of a type, its shape for example: tsc reports a name that is missing here, and one that the type does not have. */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: unknown };

/**
 * Returns the options, unchanged, after a check of their names: a misspelt option would be ignored, a gate among them.
 *
 * @param owner the function that takes the options, for the message
 * @param code for options that are not an object, or whose names cannot be read
 * @throws AgentError `INVALID_CONFIG` for a name that is not one of `names`, with the nearest of them
 */
export function named<Options extends object>(
  options: Options,
  names: OptionNames<NoInfer<Options>>,
  owner: string,
  code: AgentErrorCode = 'INVALID_CONFIG',
): Options {
  const given = reading(
    `The options of ${owner}`,
    () => (isJsonObject(options) ? Object.keys(options) : undefined),
    code,
  );
  if (given === undefined) return fail(code, `The options of ${owner} are not an object.`);
  const known = Object.keys(names);
  for (const name of given)
    if (!Object.hasOwn(names, name)) {
      const nearest = nearestName(name, known);
      const hint = nearest === undefined ? `Known: ${known.join(', ')}.` : `Did you mean "${nearest}"?`;
      return fail('INVALID_CONFIG', `unknown option ${JSON.stringify(name)} of ${owner}. ${hint}`);
    }
  return options;
}
