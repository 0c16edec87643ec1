import { hash } from '../core/model/hash.ts';
import { acceptedName, withLetterFirst } from '../core/tools/tool-name.ts';

const longest = 64;
/** A name without two underscores in a row, or one at its end: two of these, joined by two underscores, can be separated again. */
const plain = /^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/;

/**
 * Returns the name under which the model calls a tool of a server: valid for every provider, always the same for the same tool, and another
 * one for every other tool of this or another server.
 */
export function toToolName(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  if (plain.test(server) && plain.test(tool) && acceptedName.test(name)) return name;
  const ending = `___${hash(JSON.stringify([server, tool]))}`;
  const slug = `${toSlug(server)}__${toSlug(tool)}`;
  return withLetterFirst(slug, 'mcp_').slice(0, longest - ending.length) + ending;
}

/** Returns the default name of a server: its host, after `mcp_` where that is an address and begins with a digit. */
export function toServerName(host: string): string {
  return withLetterFirst(toSlug(host), 'mcp_');
}

function toSlug(text: string): string {
  return text.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_+|_+$/g, '');
}
