import type { AgentErrorCode } from 'brooklet';

/** What a user can do about a failed run. */
export type Remedy = 'settings' | 'reload' | 'topUp' | 'newChat' | 'resume' | 'retry';

const inSettings: readonly Remedy[] = ['settings'];
const fixes: ReadonlyMap<AgentErrorCode, readonly Remedy[]> = new Map<AgentErrorCode, readonly Remedy[]>([
  ['AUTHENTICATION_FAILED', inSettings],
  ['PERMISSION_DENIED', inSettings],
  ['MODEL_NOT_FOUND', inSettings],
  ['MODEL_NOT_READY', inSettings],
  ['INVALID_CONFIG', inSettings],
  ['INSUFFICIENT_QUOTA', ['topUp', 'settings']],
  ['MODULE_UNAVAILABLE', ['reload']],
  ['CONTEXT_OVERFLOW', ['newChat']],
]);

interface RemediesOptions {
  readonly code: AgentErrorCode | undefined;
  /** Whether the last reply can be continued. */
  readonly hasReply: boolean;
  /** Whether the page knows where the account is topped up. */
  readonly canTopUp: boolean;
}

/** Returns what a user can do about a failed run, the action that helps first. */
export function remediesFor({ code, hasReply, canTopUp }: RemediesOptions): readonly Remedy[] {
  const first = (code && fixes.get(code)) ?? [];
  const again: readonly Remedy[] = hasReply ? ['resume', 'retry'] : ['retry'];
  // Only the address or the network can be at fault.
  const last: readonly Remedy[] = code === 'NETWORK_ERROR' ? ['settings'] : [];
  return [...first, ...again, ...last].filter((remedy) => remedy !== 'topUp' || canTopUp);
}

/** By host: where an account is topped up. */
const billing: ReadonlyMap<string, string> = new Map([
  ['api.anthropic.com', 'https://console.anthropic.com/settings/billing'],
  ['api.deepseek.com', 'https://platform.deepseek.com/top_up'],
  ['api.groq.com', 'https://console.groq.com/settings/billing'],
  ['api.mistral.ai', 'https://console.mistral.ai/billing'],
  ['api.openai.com', 'https://platform.openai.com/settings/organization/billing'],
  ['api.together.xyz', 'https://api.together.ai/settings/billing'],
  ['api.x.ai', 'https://console.x.ai'],
  ['openrouter.ai', 'https://openrouter.ai/settings/credits'],
]);

/** Returns the page on which the account of a service is topped up, if it is known. */
export function billingURL(baseURL: string | undefined): string | undefined {
  return baseURL !== undefined && URL.canParse(baseURL) ? billing.get(new URL(baseURL).host) : undefined;
}
