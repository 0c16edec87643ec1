import { readFileSync } from 'node:fs';

/** A code block of a page. */
export interface Block {
  /** Unique file name. */
  readonly file: string;
  /** The block, and the declarations of an HTML comment before it, which the reader does not see. */
  readonly source: string;
  /** The lines that the block prints, by an HTML comment `<!-- prints … -->` after it. */
  readonly prints: string | undefined;
}

/** What `<!-- given: agent, show -->` declares. A page writes anything else as declarations: `<!-- given`, a line for each, `-->`. */
const declarations: Readonly<Record<string, string>> = {
  agent: "declare const agent: import('brooklet').Agent;",
  apiKey: 'declare const apiKey: string;',
  bar: 'declare const bar: HTMLProgressElement;',
  button: 'declare const button: HTMLButtonElement;',
  client: "declare const client: import('brooklet').LLMClient;",
  connection: "declare const connection: import('brooklet/nats').NatsLink;",
  id: 'declare const id: string;',
  key: 'declare const key: string;',
  messageId: 'declare const messageId: string;',
  messages: "declare const messages: readonly import('brooklet').Message[];",
  passphrase: 'declare const passphrase: string;',
  pin: 'declare const pin: string;',
  ready: 'declare const ready: () => void;',
  session: "declare const session: import('brooklet').AgentSession;",
  sessionId: 'declare const sessionId: string;',
  show: 'declare const show: (...what: readonly unknown[]) => void;',
  store: "declare const store: import('brooklet').SessionStore;",
  stored: "declare const stored: import('brooklet/core').StoredSession;",
  tools: "declare const tools: readonly import('brooklet').Tool[];",
};

const pattern =
  /(?:<!-- given(?:: (?<names>[\w, ]+) |\n(?<given>.*?)\n)-->\n\n)?```tsx?\n(?<code>.*?)\n```(?:\n\n<!-- prints\n(?<prints>.*?)\n-->)?/gs;

function declare(name: string): string {
  const declaration = declarations[name];
  if (declaration === undefined)
    throw new Error(`No declaration of "${name}": write it out, or add it to ${import.meta.url}.`);
  return declaration;
}

/** Returns the TypeScript blocks of a page; its path is without `.md`. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(new URL(`../../${page}.md`, import.meta.url), 'utf8');
  return Array.from(text.matchAll(pattern), ({ groups = {} }, index) => {
    const given = groups.given ?? groups.names?.split(', ').map(declare).join('\n') ?? '';
    return {
      file: `${page.replaceAll('/', '-')}-${index + 1}.tsx`,
      source: [groups.code, given, 'export {};', ''].join('\n\n'),
      prints: groups.prints,
    };
  });
}
