import { isJsonObject } from '../../json.ts';
import { toWebAddress } from '../web-address.ts';
import { callStatuses } from '../call-status.ts';
import type { Approval, Part, ToolDetails } from '../message.ts';
import { type Fields, id, string, typed, word } from './fields.ts';
import { amount, anything, flag, jsonObject, listOf, maybe, object, oneOf, type Shape } from './shape.ts';

/** The author of a message. */
export const role: Shape = oneOf('system', 'user', 'assistant');

/** Base64, or a `data:` URL with base64. */
const base64: Shape = (value, field) =>
  typeof value === 'string' && /^data:(?![^,]*;base64,)/.test(value)
    ? { field, reason: 'is a data: URL without base64: pass it as `url`' }
    : string(value, field);

const media = { mediaType: word, data: maybe(base64), url: maybe(string), name: maybe(string) };

export const details: Shape = typed<ToolDetails>({
  diff: { filePath: string, oldContent: string, newContent: string },
  fileList: { files: listOf(string) },
  commandOutput: { stdout: string, stderr: string, exitCode: amount },
  json: { value: anything },
  text: { text: string },
  image: { mediaType: word, data: maybe(string), url: maybe(string) },
});

export const decidedBy: Shape = oneOf('user', 'rule', 'timeout', 'policy');

export const approvalCause: Shape = maybe(oneOf('unknown-finish', 'untrusted'));

/** The JSON Schema of an answer. An address that a page must not open is removed: it may come from a file or another device. */
export const elicitation: Shape = (value, field) => {
  const flaw = jsonObject(value, field);
  if (flaw === undefined && isJsonObject(value) && 'x-mcp-url' in value) {
    const url = value['x-mcp-url'];
    if (typeof url !== 'string' || toWebAddress(url) === undefined) Reflect.deleteProperty(value, 'x-mcp-url');
  }
  return flaw;
};

const approval = object({
  verdict: maybe(oneOf('approved', 'rejected', 'expired')),
  decidedBy: maybe(decidedBy),
  reason: maybe(string),
  cause: approvalCause,
  userName: maybe(string),
  rejectionText: maybe(string),
  expiresAt: maybe(amount),
  toolVersion: maybe(string),
  elicitation: maybe(elicitation),
  answer: anything,
  proposal: maybe(jsonObject),
} satisfies Fields<Approval>);

export const part: Shape = typed<Part>({
  text: { text: string },
  reasoning: { text: string, provider: anything, startedAt: maybe(amount), durationMs: maybe(amount) },
  image: media,
  audio: media,
  file: media,
  source: { url: string, title: maybe(string) },
  provider: { name: word, data: anything },
  tool: {
    callId: id,
    name: word,
    status: oneOf(...callStatuses),
    inputText: string,
    input: maybe(jsonObject),
    editedInput: maybe(jsonObject),
    output: anything,
    progress: anything,
    isError: maybe(flag),
    attempt: maybe(amount),
    startedAt: maybe(amount),
    server: maybe(string),
    session: maybe(id),
    handoff: maybe(word),
    durationMs: maybe(amount),
    summary: maybe(string),
    details: maybe(details),
    requiresFollowUp: maybe(flag),
    approval: maybe(approval),
    provider: anything,
  },
});
