import type { JsonObject } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { excerpt, MCPError } from './errors.ts';
import { listAll } from './list.ts';
import type { Peer } from './peer.ts';
import { toContent, toParts } from './result.ts';
import type { MCPPrompt, MCPPromptMessage, MCPResource } from './types.ts';

// What a server offers to the page beside its tools.

export async function listPrompts(peer: Peer, host: string): Promise<readonly MCPPrompt[]> {
  return peer.capabilities.prompts === undefined ? [] : (await listAll(peer, host, 'prompts')).map(toPrompt);
}

export async function getPrompt(
  peer: Peer,
  host: string,
  name: string,
  input: Readonly<Record<string, string>>,
): Promise<readonly MCPPromptMessage[]> {
  const { messages } = await complete(host, peer.request('prompts/get', { name, arguments: input }));
  return toList(messages).map((message) => {
    const { role, content } = toObject(message);
    return { role: role === 'assistant' ? role : 'user', content: toParts([content ?? null]) };
  });
}

export async function listResources(peer: Peer, host: string): Promise<readonly MCPResource[]> {
  return peer.capabilities.resources === undefined ? [] : (await listAll(peer, host, 'resources')).map(toResource);
}

export async function readResource(peer: Peer, host: string, uri: string): Promise<readonly Part[]> {
  return (await readContents(peer, host, uri)).map(toContent);
}

/** Returns what a resource contains, as the server sent it. */
export async function readContents(peer: Peer, host: string, uri: string): Promise<readonly JsonObject[]> {
  const { contents } = await complete(host, peer.request('resources/read', { uri }));
  return toList(contents).map(toObject);
}

/** Questions belong to calls: a prompt or a resource that needs an answer has no place to ask. */
async function complete(host: string, pending: Promise<JsonObject>): Promise<JsonObject> {
  const result = await pending;
  if (result.resultType === 'input_required')
    throw new MCPError('refused', `${host} wants to ask the person first, which only a tool can do here.`);
  return result;
}

function toPrompt(item: JsonObject): MCPPrompt {
  return {
    name: toText(item.name),
    ...labelsOf(item),
    arguments: toList(item.arguments).map((argument) => {
      const { name: label, required, description } = toObject(argument);
      return { name: toText(label), required: required === true, ...textIn({ description }) };
    }),
  };
}

function toResource(item: JsonObject): MCPResource {
  const { uri, name, mimeType } = item;
  return { uri: toText(uri), name: excerpt(name, 200), ...labelsOf(item), ...textIn({ mimeType }) };
}

function labelsOf({ title, description }: JsonObject): { readonly title?: string; readonly description?: string } {
  return textIn({ title, description });
}

/** Returns the fields that are text, shortened for display. */
function textIn<Name extends string>(fields: { readonly [Key in Name]: unknown }): { readonly [Key in Name]?: string } {
  const found: { [Key in Name]?: string } = {};
  for (const key in fields) {
    const text = excerpt(fields[key], 2_000);
    if (text) found[key] = text;
  }
  return found;
}
