interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface ScriptPolicies {
  createPolicy(name: string, rules: { readonly createScriptURL: (url: string) => string }): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/** Returns the address of a script of this page, as Trusted Types accept it. @throws TypeError for an address of another origin */
export function toScriptURL(url: string): string {
  // Missing in some browsers, and in the types of TypeScript.
  const policies: unknown = Reflect.get(globalThis, 'trustedTypes');
  if (!isPolicies(policies)) return url;
  policy ??= policies.createPolicy('brooklet-studio', { createScriptURL: checked });
  return policy.createScriptURL(url);
}

function checked(url: string): string {
  if (new URL(url, location.href).origin === location.origin) return url;
  throw new TypeError(`${url} is no script of this page.`);
}

function isPolicies(value: unknown): value is ScriptPolicies {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}
