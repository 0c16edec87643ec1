/** Returns the word for a name of the log; the name itself for one that a newer version has written. */
export function textFor(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
