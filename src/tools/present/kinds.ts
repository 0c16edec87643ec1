import type { JsonObject } from '../../core/json.ts';
import { normalizeName, textAt } from './fields.ts';

/** What a tool of a common agent does, as far as a presentation depends on it. */
export type ToolKind = 'edit' | 'write' | 'read' | 'command' | 'list' | 'search' | 'change' | 'editor';

/** Tool names of common agents, in the form of `normalizeName`. */
const namesOf: Readonly<Record<ToolKind, string>> = {
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

const kinds = new Map<string, ToolKind>();
for (const kind of Object.keys(namesOf).filter(isToolKind)) {
  for (const name of namesOf[kind].split(' ')) kinds.set(name, kind);
}

/** Returns the kind of a call; for Anthropic's text editor, one tool with several commands, the kind of its command. */
export function kindOf(name: string, input: JsonObject): ToolKind | undefined {
  const kind = kinds.get(normalizeName(name));
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

function isToolKind(name: string): name is ToolKind {
  return Object.hasOwn(namesOf, name);
}
