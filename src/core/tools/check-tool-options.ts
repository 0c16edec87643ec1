import type { ToolOptions, ToolOutput } from './tool-options.ts';
import type { InputSchema } from './schema.ts';
import { named } from '../model/shapes/named.ts';
import { fail } from '../error.ts';
import { type Fields, string } from '../model/shapes/fields.ts';
import { callable, count, flag, having, maybe, range, type Shape } from '../model/shapes/shape.ts';
import { acceptedName } from './tool-name.ts';

const schema: Shape = (value, field) =>
  (typeof value === 'object' && value !== null) || (typeof value === 'function' && '~standard' in value)
    ? undefined
    : { field, reason: 'is not a schema' };

/** Either of two shapes; `reason` continues a sentence that begins with the field. */
function either(first: Shape, second: Shape, reason: string): Shape {
  return (value, field) => first(value, field) && second(value, field) && { field, reason };
}

const toolFields: Fields<ToolOptions<InputSchema>> = {
  name: (value, field) =>
    typeof value === 'string' && acceptedName.test(value)
      ? undefined
      : { field, reason: `${JSON.stringify(value)} does not match ${acceptedName}` },
  description: string,
  input: schema,
  output: maybe(schema),
  execute: callable,
  needsApproval: maybe(either(flag, callable, 'is neither true, false nor a function')),
  answer: maybe(either(schema, callable, 'is neither a schema nor a function')),
  approvalTimeout: maybe(range(1)),
  timeout: maybe(range(1)),
  maxOutput: maybe(count(1)),
  idempotent: maybe(flag),
  exclusive: maybe(flag),
  followUp: maybe(either(flag, callable, 'is neither true, false nor a function')),
  present: maybe(callable),
};
const toolOptions = having(toolFields);

/**
 * Checks the definition of a tool: a wrong trait would be silently true.
 *
 * @throws AgentError `INVALID_CONFIG` with the name of the option and what it must be
 */
export function checkToolOptions(
  options: ToolOptions<InputSchema, string, InputSchema, ToolOutput, InputSchema>,
): void {
  named(options, toolFields, 'defineTool');
  const flaw = toolOptions(options, '');
  if (flaw)
    fail('INVALID_CONFIG', `The option \`${flaw.field}\` of the tool ${JSON.stringify(options?.name)} ${flaw.reason}.`);
  if (/Generator/.test(Object.prototype.toString.call(options.execute)))
    fail(
      'INVALID_CONFIG',
      `\`execute\` of the tool ${JSON.stringify(options.name)} is a generator: return the result, and pass what is shown meanwhile to \`progress\`.`,
    );
}
