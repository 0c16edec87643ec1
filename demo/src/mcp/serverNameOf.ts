/** Returns the server of a tool, by the name that the model calls: `notes__add` is of `notes`. `undefined` for a tool of the page. */
export function serverNameOf(toolName: string): string | undefined {
  const at = toolName.indexOf('__');
  return at > 0 ? toolName.slice(0, at) : undefined;
}
