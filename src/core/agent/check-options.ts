import { fail } from '../error.ts';
import { string } from '../model/shapes/fields.ts';
import { limits } from '../model/shapes/settings-shape.ts';
import {
  anything,
  callable,
  count,
  flag,
  having,
  listOf,
  maybe,
  range,
  type Shape,
  withMethod,
} from '../model/shapes/shape.ts';
import type { AgentOptions } from './agent.ts';

const list = listOf(anything);
const share = maybe(range(0, 1));

const resumeOptions = having({ attempts: maybe(count(1)), firstDelay: maybe(range(0)), within: maybe(range(0)) });
const autoResume: Shape = (value, field) => (typeof value === 'object' ? resumeOptions : flag)(value, field);

const agentOptions = having({
  client: withMethod('sendRequest'),
  ...limits,
  tools: maybe(list),
  presets: maybe(list),
  instructions: maybe(string),
  name: maybe(string),
  maxMessages: maybe(count(1)),
  capacity: maybe(count(1)),
  throttle: maybe(range(0)),
  idleTimeout: maybe(range(1)),
  autoResume: maybe(autoResume),
  stopWhen: maybe(callable),
  present: maybe(callable),
  formatRejection: maybe(callable),
  onError: maybe(callable),
  context: maybe(
    having({ trigger: share, target: share, summaryTimeout: maybe(range(1)), toolOutput: maybe(count(1)) }),
  ),
});

/**
 * Checks the options of an agent where they are given: a wrong number would switch a limit off.
 *
 * @throws AgentError `INVALID_CONFIG` with the name of the option and what it must be
 */
export function checkAgentOptions(options: AgentOptions): void {
  const flaw = agentOptions(options, '');
  if (flaw) fail('INVALID_CONFIG', `The option \`${flaw.field}\` of the agent ${flaw.reason}.`);
}
