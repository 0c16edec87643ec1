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
