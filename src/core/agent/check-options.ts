import type { ContextOptions } from '../context/options.ts';
import { isJsonObject } from '../json.ts';
import { named } from '../model/shapes/named.ts';
import { fail } from '../error.ts';
import { type Fields, string } from '../model/shapes/fields.ts';
import { budgetFields, limits } from '../model/shapes/settings-shape.ts';
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
  withMethods,
} from '../model/shapes/shape.ts';
import type { AgentOptions, AutoResumeOptions } from './agent-options.ts';

const list = listOf(anything);
const share = maybe(range(0, 1));

const resumeFields: Fields<AutoResumeOptions> = {
  attempts: maybe(count(1)),
  firstDelay: maybe(range(0)),
  within: maybe(range(0)),
};
const resumeOptions = having(resumeFields);
const autoResume: Shape = (value, field) => (typeof value === 'object' ? resumeOptions : flag)(value, field);

const stream: Shape = withMethods('subscribe');

const client: Shape = (value, field) =>
  withMethods('sendRequest')(value, field) ?? maybe(stream)(Reflect.get(Object(value), 'locked$'), `${field}.locked$`);

const store: Shape = (value, field) =>
  withMethods('list', 'read', 'write', 'remove', 'close')(value, field) ??
  stream(Reflect.get(Object(value), 'changes$'), `${field}.changes$`);

const contextFields: Fields<ContextOptions> = {
  trigger: share,
  target: share,
  strategy: anything,
  summarizer: anything,
  summaryTimeout: maybe(range(1)),
  editSummary: anything,
  countTokens: anything,
  mediaTokens: anything,
  toolOutput: maybe(count(1)),
  cost: anything,
};

export const agentFields: Fields<AgentOptions> = {
  client: maybe(client),
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
  needsApproval: maybe(callable),
  present: maybe(callable),
  formatRejection: maybe(callable),
  onError: maybe(callable),
  context: maybe(having(contextFields)),
  store: maybe(store),
  // Checked where they are used.
  scratch: anything,
  ports: anything,
};

const agentOptions = having(agentFields);

/**
 * Checks the options of an agent where they are given: a wrong number would switch a limit off.
 *
 * @throws AgentError `INVALID_CONFIG` with the name of the option and what it must be
 */
export function checkAgentOptions(options: AgentOptions): void {
  const flaw = agentOptions(options, '');
  if (flaw) fail('INVALID_CONFIG', `The option \`${flaw.field}\` of the agent ${flaw.reason}.`);
}

/**
 * Checks the names of the options of an agent, and of the objects in them.
 *
 * @param owner the function that takes the options
 * @throws AgentError `INVALID_CONFIG` with the name
 */
export function checkAgentNames(options: Partial<AgentOptions>, owner: string): void {
  const { autoResume, context } = options;
  const { budget } = options;
  if (isJsonObject(autoResume)) named(autoResume, resumeFields, `${owner}({ autoResume })`);
  if (isJsonObject(budget)) named(budget, budgetFields, `${owner}({ budget })`);
  if (!isJsonObject(context)) return;
  named(context, contextFields, `${owner}({ context })`);
  if (isJsonObject(context.summarizer))
    named(context.summarizer, { client: true, model: true }, `${owner}({ context: { summarizer } })`);
}
