import { AgentError, type Agent } from '../index.ts';
import * as known from '../llm/providers/index.ts';
import type { Provider } from '../llm/providers/index.ts';
import type { LabelOverrides } from '../ui/labels/english.ts';
import type { BrookletChatProps, ChatTheme } from './types.ts';

/** What the element creates its agent from. Another value of any of these is another agent. */
export interface OwnAgentSettings {
  readonly provider: Provider;
  readonly model: string;
  readonly instructions: string | undefined;
}

/** The properties of an element, checked. */
export interface Settings {
  readonly agent: Agent | OwnAgentSettings;
  readonly sessionId: string | undefined;
  readonly theme: ChatTheme;
  readonly labels: LabelOverrides | undefined;
  readonly placeholder: string | undefined;
  readonly welcome: string | undefined;
  readonly launcher: 'start' | 'end' | undefined;
}

const refuse = (message: string): never => {
  throw new AgentError(`<brooklet-chat>: ${message}`, { code: 'INVALID_CONFIG' });
};

export const isAgent = (value: Agent | OwnAgentSettings): value is Agent => 'openSession' in value;

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && 'baseURL' in value && 'createClient' in value;

const providers: ReadonlyMap<string, Provider> = new Map(
  Object.entries(known).flatMap(([name, value]) => (isProvider(value) ? [[name, value] as const] : [])),
);

/**
 * Checks the properties.
 *
 * @throws AgentError `INVALID_CONFIG` with a sentence that names the property and what it takes
 */
export function readSettings(props: BrookletChatProps): Settings {
  const { theme = 'auto', labels, launcher } = props;
  if (!['light', 'dark', 'auto'].includes(theme)) refuse(`\`theme\` is ${show(theme)}: use light, dark or auto.`);
  if (labels !== undefined && (typeof labels !== 'object' || labels === null)) refuse('`labels` is not an object.');
  if (![undefined, true, false, '', 'start', 'end'].includes(launcher))
    refuse(`\`launcher\` is ${show(launcher)}: use start or end.`);
  return {
    agent: readAgent(props),
    sessionId: readText(props, 'sessionId'),
    theme,
    labels,
    placeholder: readText(props, 'placeholder'),
    welcome: readText(props, 'welcome'),
    launcher: launcher === undefined || launcher === false ? undefined : launcher === 'start' ? 'start' : 'end',
  };
}

function readAgent(props: BrookletChatProps): Settings['agent'] {
  const { agent, provider, apiKey, tools } = props;
  const [model, baseURL, instructions] = (['model', 'baseURL', 'instructions'] as const).map((name) =>
    readText(props, name),
  );
  if (agent !== undefined) {
    if (typeof agent !== 'object' || agent === null || typeof agent.openSession !== 'function')
      return refuse('`agent` is not an agent: pass the result of `createAgent`.');
    if (provider !== undefined || baseURL !== undefined)
      return refuse('`agent` and `provider` are both set: an agent has its own client.');
    return agent;
  }
  if (apiKey !== undefined && typeof apiKey !== 'string' && typeof apiKey !== 'function')
    refuse('`apiKey` is neither a text nor a function.');
  if (tools !== undefined && !Array.isArray(tools)) refuse('`tools` is not an array.');
  if (provider === undefined && baseURL === undefined) return refuse('set `agent`, or `provider` and `model`.');
  const found = baseURL !== undefined && provider === undefined ? known.compatible(baseURL) : findProvider(provider);
  if (model === undefined) return refuse('`model` is missing: the name of a model of this provider.');
  return { provider: baseURL === undefined ? found : { ...found, baseURL }, model, instructions };
}

function findProvider(provider: unknown): Provider {
  if (isProvider(provider)) return provider;
  const found = typeof provider === 'string' ? providers.get(provider) : undefined;
  return found ?? refuse(`\`provider\` is ${show(provider)}: use ${[...providers.keys()].join(', ')}, or an object.`);
}

/** An empty text counts as none: so does an attribute without a value. */
function readText(
  props: BrookletChatProps,
  name: 'model' | 'baseURL' | 'instructions' | 'sessionId' | 'placeholder' | 'welcome',
): string | undefined {
  const value: unknown = props[name];
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : refuse(`\`${name}\` is ${show(value)}: it takes a text.`);
}

const show = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : typeof value);
