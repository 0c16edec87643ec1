/** A public server that a page may suggest. */
export interface Suggestion {
  readonly title: string;
  readonly url: string;
  /** Which text describes it. */
  readonly about: 'deepwiki' | 'context7' | 'cloudflare' | 'huggingFace' | 'linear' | 'sentry';
  readonly needsAccount: boolean;
}

/** Public servers for current documentation and code, and two that ask for an account. None was tested with this page. */
export const suggestions: readonly Suggestion[] = [
  { title: 'DeepWiki', url: 'https://mcp.deepwiki.com/mcp', about: 'deepwiki', needsAccount: false },
  { title: 'Context7', url: 'https://mcp.context7.com/mcp', about: 'context7', needsAccount: false },
  { title: 'Cloudflare Docs', url: 'https://docs.mcp.cloudflare.com/mcp', about: 'cloudflare', needsAccount: false },
  { title: 'Hugging Face', url: 'https://huggingface.co/mcp', about: 'huggingFace', needsAccount: false },
  { title: 'Linear', url: 'https://mcp.linear.app/mcp', about: 'linear', needsAccount: true },
  { title: 'Sentry', url: 'https://mcp.sentry.dev/mcp', about: 'sentry', needsAccount: true },
];
