import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { MediaPart, Part, ToolDetails } from '../core/model/message.ts';
import type { Present, PresentableOutput, Presentation, Presenter } from '../core/tools/checked-tool.ts';

interface Call {
  readonly name: string;
  readonly input: JsonObject;
  readonly output: PresentableOutput;
  readonly isError: boolean;
}

type Kind = 'edit' | 'write' | 'read' | 'command' | 'list' | 'search' | 'change' | 'editor';

/** What the tools of common agents are called, folded: see `fold`. */
const namesOf: Readonly<Record<Kind, string>> = {
  edit: 'edit editfile fileedit multiedit strreplace replace replaceinfile searchreplace updatefile',
  write: 'write writefile filewrite writetofile create createfile savefile',
  read: 'read readfile fileread view viewfile openfile notebookread',
  command:
    'bash shell localshell command commandexecution exec execcommand executecommand runcommand runshellcommand runterminalcmd terminal',
  list: 'glob ls list listdir listdirectory listfiles findfiles',
  search: 'grep search ripgrep searchfiles searchfilecontent codebasesearch',
  change: 'filechange',
  editor: 'strreplaceeditor strreplacebasededittool texteditor',
};

const kinds = new Map<string, Kind>();
for (const kind of Object.keys(namesOf).filter(isKind)) {
  for (const name of namesOf[kind].split(' ')) kinds.set(name, kind);
}

const longestSummary = 200;
/** Details are for drawing; the whole is in the output. In characters. */
const longestDetails = 20_000;

/**
 * Makes a presenter: a registry by tool name, in front of defaults for tools that edit, write, read, list, search and run
 * commands, under the names that common agents give them (seed 002 §4.4). `Edit`, `edit_file` and `mcp__files__editFile`
 * are the same name to the defaults; the registry is asked for the exact name first.
 *
 *     createPresenter({ pay: (input, output) => ({ summary: `Paid ${input.amount}` }) })('pay', { amount: 3 }, 'ok', false)
 */
export function createPresenter(registry: Readonly<Record<string, Present>> = {}): Presenter {
  const exact = new Map(Object.entries(registry));
  const folded = new Map(Object.entries(registry).map(([name, present]) => [fold(name), present]));

  return (name, input, output, isError) => {
    const own = exact.get(name) ?? folded.get(fold(name));
    const given = attempt(() => own?.(input, output, isError));
    const usual = attempt(() => presentByKind({ name, input, output, isError }));
    const details = given.details ?? usual.details;
    const summary = toLine(given.summary) || toLine(usual.summary) || 'Completed';
    return { summary, ...(details !== undefined && { details }) };
  };
}

function presentByKind(call: Call): Presentation {
  const { name, input, output, isError } = call;
  const kind = kindOf(call);
  if (isError) {
    const details = kind === 'command' ? toCommandOutput(call) : toDetails(output);
    return { summary: `${name} failed`, ...(details && { details }) };
  }
  const path = textAt(input, pathKeys);
  switch (kind) {
    case 'edit':
      return withDetails(`Updated ${path ?? 'file'}`, toDiff(input, path) ?? toDetails(output));
    case 'write':
      return withDetails(`Created ${path ?? 'file'}`, toWholeDiff(call, path) ?? toDetails(output));
    case 'read':
      return withDetails(`Read ${path ?? 'file'}`, toDetails(output));
    case 'change': {
      const files = changedFiles(input);
      return withDetails(`Updated ${files.join(', ') || 'files'}`, { type: 'fileList', files });
    }
    case 'command':
      return withDetails(`${name} completed`, toCommandOutput(call));
    case 'list':
      return withDetails(`${name} completed`, toFileList(output, false) ?? toDetails(output));
    case 'search':
      return withDetails(`${name} completed`, toFileList(output, true) ?? toDetails(output));
    case 'editor':
    case undefined:
      return withDetails(`${name} completed`, toDetails(output));
  }
}

/** Anthropic's text editor is one tool for three deeds. */
function kindOf({ name, input }: Call): Kind | undefined {
  const kind = kinds.get(fold(name));
  if (kind !== 'editor') return kind;
  switch (textAt(input, ['command'])) {
    case 'view':
      return 'read';
    case 'create':
      return 'write';
    case undefined:
      return kind;
    default:
      return 'edit';
  }
}

const pathKeys = ['filepath', 'path', 'file', 'filename', 'absolutepath', 'notebookpath', 'targetfile'];
const oldKeys = ['oldstring', 'oldstr', 'oldcontent', 'oldtext', 'search'];
const newKeys = ['newstring', 'newstr', 'newcontent', 'newtext', 'inserttext', 'replace', 'replacement'];

function toDiff(input: JsonObject, path = ''): ToolDetails | undefined {
  const edits: readonly unknown[] = Array.isArray(input.edits) ? input.edits : [input];
  const pairs = edits.filter(isJsonObject).map((edit) => [textAt(edit, oldKeys), textAt(edit, newKeys)] as const);
  if (!pairs.some(([before, after]) => before !== undefined || after !== undefined)) return undefined;
  return diff(path, pairs.map(([before = '']) => before).join('\n'), pairs.map(([, after = '']) => after).join('\n'));
}

function toWholeDiff({ input, output }: Call, path = ''): ToolDetails | undefined {
  const content = textAt(input, ['content', 'contents', 'filetext', 'text', 'newcontent']);
  const before = isJsonObject(output) ? textAt(output, ['originalfile', 'oldcontent']) : undefined;
  return content === undefined ? undefined : diff(path, before ?? '', content);
}

const diff = (filePath: string, oldContent: string, newContent: string): ToolDetails => ({
  type: 'diff',
  filePath,
  oldContent: shorten(oldContent),
  newContent: shorten(newContent),
});

/** Codex tells of all the files of a patch at once. */
function changedFiles(input: JsonObject): readonly string[] {
  const changes: readonly unknown[] = Array.isArray(input.changes) ? input.changes : [];
  return changes.filter(isJsonObject).flatMap((change) => textAt(change, pathKeys) ?? []);
}

function toCommandOutput({ output, isError }: Call): ToolDetails {
  if (isJsonObject(output)) {
    const code = valueAt(output, ['exitcode', 'code', 'returncode', 'status']);
    const stdout = textAt(output, ['stdout', 'output', 'aggregatedoutput']);
    const stderr = textAt(output, ['stderr']);
    if (stdout !== undefined || stderr !== undefined || typeof code === 'number') {
      const exitCode = typeof code === 'number' ? code : Number(isError);
      return { type: 'commandOutput', stdout: shorten(stdout ?? ''), stderr: shorten(stderr ?? ''), exitCode };
    }
  }
  const text = shorten(toText(output));
  if (!isError) return { type: 'commandOutput', stdout: text, stderr: '', exitCode: 0 };
  // As Claude Code and Gemini CLI word it.
  const exitCode = Number(/^exit code:?\s+(-?\d+)/im.exec(text)?.[1] ?? 1);
  return { type: 'commandOutput', stdout: '', stderr: text, exitCode };
}

/** @param strict whether each line of text must look like a path; otherwise each line is taken for one */
function toFileList(output: PresentableOutput, strict: boolean): ToolDetails | undefined {
  const listed = isJsonObject(output) ? valueAt(output, ['files', 'filenames', 'paths', 'matches']) : output;
  if (isTexts(listed)) return { type: 'fileList', files: listed };
  const text = typeof output === 'string' || isParts(output) ? toText(output) : '';
  if (/^no (files|matches) found/i.test(text)) return { type: 'fileList', files: [] };
  const lines = text.split('\n').map((line) => line.trim());
  const files = lines.filter((line) => line !== '');
  if (files.length === 0 || text.length > longestDetails) return undefined;
  return strict && !files.every((file) => /^[^\s:]*[./][^\s:]*$/.test(file)) ? undefined : { type: 'fileList', files };
}

/** By the shape of the output alone. What is too long to be drawn has no details but its beginning. */
function toDetails(output: PresentableOutput): ToolDetails | undefined {
  if (output === undefined || output === null || output === '') return undefined;
  if (typeof output === 'string') return { type: 'text', text: shorten(output) };
  if (isParts(output)) {
    const image = output.find((part): part is MediaPart => part.type === 'image');
    if (image === undefined) return toDetails(toText(output));
    const { mediaType, data, url } = image;
    return { type: 'image', mediaType, ...(data !== undefined && { data }), ...(url !== undefined && { url }) };
  }
  const text = JSON.stringify(output);
  return text.length > longestDetails ? { type: 'text', text: shorten(text) } : { type: 'json', value: output };
}

function toText(output: PresentableOutput): string {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string') return output;
  if (!isParts(output)) return JSON.stringify(output);
  return output.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
}

const partTypes: readonly string[] = ['text', 'reasoning', 'image', 'audio', 'file', 'source', 'provider', 'tool'];

function isParts(output: PresentableOutput): output is readonly Part[] {
  const list: readonly unknown[] = Array.isArray(output) ? output : [];
  return (
    list.length > 0 &&
    list.every((part) => isJsonObject(part) && typeof part.type === 'string' && partTypes.includes(part.type))
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(namesOf, name);
}

/** `old_string`, `oldString` and `Old-String` are the same name, and so is what an MCP server puts in front. */
function fold(name: string): string {
  return (name.split('__').at(-1) ?? name).toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** @param keys folded, the most telling first */
function valueAt(from: JsonObject, keys: readonly string[]): Json | undefined {
  const found = new Map(Object.entries(from).map(([key, value]) => [fold(key), value]));
  for (const key of keys) if (found.get(key) !== undefined) return found.get(key);
  return undefined;
}

function textAt(from: JsonObject, keys: readonly string[]): string | undefined {
  const value = valueAt(from, keys);
  return typeof value === 'string' ? value : undefined;
}

const withDetails = (summary: string, details: ToolDetails | undefined): Presentation => ({
  summary,
  ...(details && { details }),
});

function shorten(text: string): string {
  if (text.length <= longestDetails) return text;
  return `${text.slice(0, longestDetails)}\n… ${text.length - longestDetails} more characters`;
}

function toLine(text: unknown): string {
  if (typeof text !== 'string') return '';
  const line = text
    .slice(0, 4 * longestSummary)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > longestSummary ? `${line.slice(0, longestSummary - 1)}…` : line;
}

function attempt(present: () => Presentation | undefined): Presentation {
  try {
    return present() ?? {};
  } catch {
    return {};
  }
}
