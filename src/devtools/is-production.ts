// Bundlers replace `process.env.NODE_ENV` by a string. Without a bundler the browser has no `process`.
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Whether the page is built for production, or cannot know. */
export function isProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production';
  } catch {
    return true;
  }
}
