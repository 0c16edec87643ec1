/** The part of Trusted Types that is used here, typed with plain strings, because the DOM types accept strings only. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): { createHTML(html: string): string };
}

/** One policy for each page: the browser rejects a second policy with the same name. */
const policies = new WeakMap<object, { createHTML(html: string): string }>();

/**
 * Returns markup that a page which requires Trusted Types accepts, if the page allows the policy `brooklet-sandbox`. For sandboxed frames
 * and inert documents only: the markup is not changed.
 *
 * @throws TypeError if the page does not allow the policy
 */
export function toTrusted(html: string, view: object | null): string {
  const { trustedTypes }: { readonly trustedTypes?: TrustedTypes } & Partial<Pick<Window, 'name'>> = view ?? {};
  if (trustedTypes === undefined) return html;
  const policy =
    policies.get(trustedTypes) ?? trustedTypes.createPolicy('brooklet-sandbox', { createHTML: (markup) => markup });
  policies.set(trustedTypes, policy);
  return policy.createHTML(html);
}
