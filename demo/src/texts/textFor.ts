/** Returns the text for a name that comes from elsewhere: a tool, the code of an error. `undefined` if there is none. */
export function textFor(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
