import { named, type OptionNames } from '../model/shapes/named.ts';
import type { Scratch } from '../context/options.ts';
import { fail } from '../error.ts';
import { forClient } from '../context/for-client.ts';
import { missingClient, noClient } from '../no-client.ts';
import { defined, isJsonObject } from '../json.ts';
import type { LLMClient } from '../model/llm.ts';
import { placeOf } from '../model/message.ts';
import type { RunNeed, RunSettings } from '../model/settings.ts';
import { readFields, readInput, reading } from '../model/shapes/read-input.ts';
import { anything, having, listOf, maybe, withMethods } from '../model/shapes/shape.ts';
import { budgetFields, settings as settingsShape } from '../model/shapes/settings-shape.ts';
import type { SessionState } from '../model/state.ts';
import type { RunOptions } from './session.ts';

/** The options of a run that cannot be stored: live objects. */
export interface RunHandles {
  readonly client?: LLMClient;
  readonly scratch?: Scratch;
}

/** The names of these options. */
const unstorable: readonly RunNeed[] = ['client', 'scratch'];

export const runNames: OptionNames<RunOptions> = {
  client: true,
  model: true,
  temperature: true,
  output: true,
  toolChoice: true,
  providerParams: true,
  tools: true,
  signal: true,
  maxSteps: true,
  budget: true,
  contextWindow: true,
  maxTokens: true,
  autoCompress: true,
  scratch: true,
};

/** The options that are live objects. */
const liveOptions = having({
  client: maybe(withMethods('sendRequest')),
  signal: maybe(withMethods('addEventListener')),
  tools: maybe(listOf(anything)),
  scratch: maybe((value, field) =>
    /^(string|function)$/.test(typeof value) ? undefined : { field, reason: 'is neither a text nor a function' },
  ),
});

/**
 * Returns a copy of a run's options, each read once and within the call; live objects stay.
 *
 * @param owner the function that takes the options, for the message
 * @throws AgentError as `toRunSettings` does
 */
export function readRunOptions(given: RunOptions, owner: string): RunOptions {
  const options = readFields(given, 'The options of the run');
  named(options, runNames, owner);
  const { budget } = options;
  if (isJsonObject(budget)) named(budget, budgetFields, `${owner}({ budget })`, 'INVALID_INPUT');
  const {
    needs: _needs,
    origin: _origin,
    ...stored
  } = reading('An option of the run', () => toRunSettings(options)) ?? {};
  const { client, scratch, signal } = options;
  return { ...stored, ...defined({ client, scratch, signal }) };
}

/** Who answers a run, as far as its settings depend on it. */
export interface Answerer {
  /** The present client of the agent. */
  readonly client: LLMClient;
  /** The live options of the run before, which apply again. */
  readonly handles?: RunHandles | undefined;
}

/**
 * Returns the part of a run's options that is stored: a copy, merged over `base`, the settings of the run that is resumed or regenerated.
 * Of `base` applies what fits the client that answers now.
 *
 * @returns `undefined` when the agent's own options apply
 * @throws AgentError `INVALID_INPUT` for options that JSON cannot represent, of a wrong type or out of their range
 */
export function toRunSettings(
  options: RunOptions,
  given: RunSettings = {},
  { client: agentClient, handles }: Answerer = { client: noClient },
): RunSettings | undefined {
  const { client, signal, scratch, tools } = options;
  const flaw = liveOptions({ client, signal, scratch, tools }, '');
  if (flaw) fail('INVALID_INPUT', `The option \`${flaw.field}\` of the run ${flaw.reason}.`);
  const { model, temperature, maxTokens, output, toolChoice, providerParams } = options;
  const { contextWindow, autoCompress, maxSteps, budget } = options;
  const spec = output && { name: output.name, schema: output.schema, strict: output.strict };
  const limits = { contextWindow, autoCompress, maxSteps, budget };
  const own = client ?? handles?.client;
  const { client: _client, ...base } = forClient<RunSettings & RunHandles>(
    { ...given, ...defined({ client: own }) },
    agentClient,
  );
  const names = tools?.map((tool) => (typeof tool === 'object' ? tool.name : tool));
  // What is given now is meant for the client that answers now.
  const isBound = [model, providerParams, contextWindow].some((option) => option !== undefined);
  const origin = isBound ? (own ?? agentClient).origin : base.origin;
  const needs = unstorable.filter((name) => options[name] !== undefined || base.needs?.includes(name));
  const { origin: _origin, ...kept } = base;
  const merged: RunSettings = {
    ...kept,
    ...defined({
      tools: names,
      model,
      temperature,
      maxTokens,
      output: spec,
      toolChoice,
      providerParams,
      ...limits,
      origin,
    }),
    ...(needs.length > 0 && { needs }),
  };
  const settings = readInput(merged, settingsShape, 'An option of the run');
  return Object.keys(settings).length > 0 ? settings : undefined;
}

/** Returns the settings of the run that answered a message, as recorded in the last run or in the replies to the message. */
export function settingsOf({ messages, run }: SessionState, promptId: string): RunSettings | undefined {
  if (run?.promptId === promptId) return run.settings;
  const after = messages.slice(placeOf(messages, promptId) + 1);
  const next = after.findIndex(({ role }) => role === 'user');
  return after.slice(0, next < 0 ? undefined : next).find(({ settings }) => settings !== undefined)?.settings;
}

/** Returns the options of a run that are not stored, merged over those of the run that is resumed or regenerated. */
export function toRunHandles({ client, scratch }: RunOptions, before: RunHandles = {}): RunHandles {
  return { ...before, ...defined({ client, scratch }) };
}

/**
 * Checks that all options are present that a run needs. Without its own client the agent's client answers.
 *
 * @throws AgentError `MISSING_OPTION` for a scratch, `MISSING_CLIENT` where no client can answer
 */
export function checkHandles(
  settings: RunSettings | undefined,
  { client, scratch }: RunHandles,
  agentClient: LLMClient,
): void {
  if (scratch === undefined && settings?.needs?.includes('scratch'))
    fail('MISSING_OPTION', 'Its own `scratch` is not stored with the run: resume({ scratch }).');
  if ((client ?? agentClient) === noClient) throw missingClient();
}
