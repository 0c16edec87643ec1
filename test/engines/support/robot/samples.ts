import type { Control, Hands } from './hands.ts';
import { soon } from './soon.ts';

/** What a chat has, or says why not. The robot fails where it does not find it, and where it finds what a sample says it lacks. */
export type Ability =
  /** A field and Send. */
  | 'message'
  | 'stop'
  /** A button that continues an answer that ended too early. */
  | 'continue'
  /** A message during an answer waits for its end. */
  | 'queue'
  /** A conversation is there after a reload. */
  | 'stored'
  /** The id of the conversation is in the address: New chat, Back, a second tab. */
  | 'address'
  /** A tool that a person approves. */
  | 'approval'
  /** The page asks a service, which can refuse, fail and be away. */
  | 'service';

/** The places from which a page is built: files of the repository, by their place in the project. */
export interface Project {
  readonly name: string;
  /** Files and folders of the repository, by their place; later ones replace files of earlier ones. */
  readonly sources: readonly (readonly [place: string, source: string])[];
  /** Files that a person writes, by their place. */
  readonly written?: Readonly<Record<string, string>>;
  /** What a person changes as a file says it, by its place. */
  readonly edits?: Readonly<Record<string, (text: string) => string>>;
  /** Pages, `index.html` where there is one. */
  readonly pages: readonly string[];
  /** The file of the element, beside the page: nothing is built. */
  readonly hasElement?: true;
  /** With React's checks: StrictMode mounts twice. */
  readonly isDevelopment?: true;
}

export interface Sample {
  readonly name: string;
  readonly project: Project;
  /** The path of the page below the address, e.g. `byok/`. */
  readonly path: string;
  readonly lacks: Partial<Record<Ability, string>>;
  /** Names in place of the usual ones. */
  readonly names?: Partial<Names>;
  /** What a person does before there is a chat, each time that the page has a field that is empty. */
  readonly setUp?: { readonly needs: Control; readonly act: (hands: Hands, url: string) => Promise<void> };
  /** How a person gets to a question for approval. Without `tool`, a script of the sample calls it, and `says` how it ended. */
  readonly approval?: {
    readonly ask: string;
    readonly tool?: readonly [name: string, input: object];
    readonly approve: string | RegExp;
    readonly says?: string;
  };
  /** A run goes on without its page. */
  readonly outlives?: true;
  /** A sample of `npm test`. */
  readonly isShort?: true;
}

export interface Names {
  readonly field: string | RegExp;
  readonly send: string;
  readonly stop: string;
  readonly goOn: RegExp;
  /** Goes on after a failure. */
  readonly again: RegExp;
  readonly newChat: string;
}

export const usualNames: Names = {
  field: 'Message',
  send: 'Send',
  stop: 'Stop',
  goOn: /^(Continue|Resume)/u,
  again: /^(Continue|Resume|Try again)/u,
  newChat: 'New chat',
};

const templates = 'create-brooklet/templates';

/** The client that the comment of a template says to use in place of the script. */
function connectModel(text: string): string {
  const code = text.split('\n').flatMap((line) => /^ \* {5}(.*)$/u.exec(line)?.[1] ?? []);
  if (!code.some((line) => line.includes('createProviderClient('))) return text;
  return text.replace("import { client } from './client';\n", `${code.join('\n')}\n`);
}

/** What the template of React says to do: "Delete `client`, a script, and the page asks for an OpenAI key." */
const deleteScript = (text: string): string =>
  text.replace("import { client } from './client';\n", '').replace('client, ', '');

/** A template of create-brooklet. */
const ofTemplate = (name: string, parts: readonly string[], more: Partial<Project> = {}): Project => ({
  name: `template-${name}`,
  sources: parts.map((part) => ['', `${templates}/${part}`]),
  pages: ['index.html'],
  ...more,
});

const noteApproval: NonNullable<Sample['approval']> = {
  ask: 'Remember the milk',
  tool: ['save_note', { text: 'Milk' }],
  approve: 'Approve',
};

const page = (body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Chat</title>
  </head>
  <body>
    ${body}
  </body>
</html>
`;

/** The files of the README in the place of those in `src` of an empty project of Vite, with its tool. */
const readme = (name: string, more: Partial<Project> = {}): Project => ({
  name,
  sources: [
    ...['App.tsx', 'agent.ts', 'index.css', 'pay.ts'].map((file) => [`src/${file}`, `test/readme/${file}`] as const),
    ['src/agent.ts', 'test/readme/agentWithPay.ts'],
    ['src/main.tsx', `${templates}/react/src/main.tsx`],
  ],
  written: { 'index.html': page('<div id="root"></div><script type="module" src="/src/main.tsx"></script>') },
  pages: ['index.html'],
  ...more,
});

const examples: Project = {
  name: 'examples',
  sources: [['', 'examples']],
  pages: ['plain', 'embed', 'byok', 'model-picker', 'approvals', 'outliving', 'local', 'agui', 'extension'].map(
    (name) => `${name}/index.html`,
  ),
};

const example = (name: string, more: Omit<Sample, 'name' | 'project' | 'path'>): Sample => ({
  name: `examples/${name}`,
  project: examples,
  path: `${name}/`,
  ...more,
});

const noApproval = 'It has no tool.';

const address: Control = { role: 'textbox', name: 'Address' };
const connect: Sample['setUp'] = {
  needs: { role: 'textbox', name: 'API key' },
  async act(hands, url) {
    await hands.fill(address, `${new URL(url).origin}/model/v1`);
    await hands.fill({ role: 'textbox', name: 'API key' }, 'sk-test');
    await hands.click({ role: 'button', name: 'Connect' });
  },
};

const keyField: Control = { role: 'textbox', name: /API key/u };

/** Pastes a key where the page asks for one. */
const giveKey: Sample['setUp'] = {
  needs: keyField,
  async act(hands) {
    await hands.fill(keyField, 'sk-test');
    await hands.press('Enter');
    await soon(() => hands.has(keyField)).toBe(false);
  },
};

/** Writes a key into the field of the page, which stays. */
const fillKey: Sample['setUp'] = { needs: keyField, act: (hands) => hands.fill(keyField, 'sk-test') };

const payApproval: NonNullable<Sample['approval']> = {
  ask: 'Pay the bill',
  tool: ['pay', { invoice: 'A-17', amount: 40 }],
  approve: 'Approve',
};

/** Every sample that is a page. A sample that is not here fails test/samples.test.ts. */
export const samples: readonly Sample[] = [
  {
    name: 'README: Chat',
    project: readme('readme'),
    path: '',
    lacks: {},
    setUp: giveKey,
    approval: payApproval,
    isShort: true,
  },
  {
    name: 'README: Chat with React’s checks',
    project: readme('readme-development', { isDevelopment: true }),
    path: '',
    lacks: {},
    setUp: giveKey,
    approval: payApproval,
  },
  {
    name: 'README: your own markup',
    project: readme('readme-own', {
      sources: [
        ...readme('').sources,
        ['src/Conversation.tsx', 'test/readme/Conversation.tsx'],
        ['src/chat.css', 'test/readme/chat.css'],
      ],
      edits: {
        'src/App.tsx': (text) =>
          text
            .replace(
              "import { Chat, KeyField } from 'brooklet/ui';",
              "import { KeyField } from 'brooklet/ui';\nimport { Conversation } from './Conversation';",
            )
            .replace('<Chat', '<Conversation')
            .replace(/ *onNewChat=.*\n/u, ''),
      },
    }),
    path: '',
    lacks: { approval: 'The chapter draws messages; the parts of brooklet/ui draw calls.' },
    setUp: giveKey,
  },
  {
    name: 'README: without React',
    project: {
      name: 'readme-plain',
      sources: ['plain.ts', 'chat.css'].map((file) => [`src/${file}`, `test/readme/${file}`]),
      written: { 'index.html': page('<script type="module" src="/src/plain.ts"></script>') },
      pages: ['index.html'],
    },
    path: '',
    lacks: { approval: noApproval },
    setUp: fillKey,
  },
  {
    name: 'README: one script tag',
    project: {
      name: 'readme-element',
      sources: [['index.html', 'test/readme/element.html']],
      pages: [],
      hasElement: true,
    },
    path: '',
    lacks: {
      approval: 'An element without code has no tools.',
      address: 'The page has one conversation, whose name is in the element.',
    },
    setUp: fillKey,
  },
  {
    name: 'template react',
    project: ofTemplate('react', ['shared', 'chat', 'react']),
    path: '',
    lacks: {},
    approval: { ask: 'Remember the milk', approve: 'Approve', says: 'I have saved it.' },
    isShort: true,
  },
  {
    name: 'template react with a key and React’s checks',
    project: ofTemplate('react-key', ['shared', 'chat', 'react'], {
      edits: { 'src/agent.ts': deleteScript },
      isDevelopment: true,
    }),
    path: '',
    lacks: {},
    setUp: giveKey,
    approval: noteApproval,
  },
  {
    name: 'template plain',
    project: ofTemplate('plain', ['shared', 'plain'], { edits: { 'src/agent.ts': connectModel } }),
    path: '',
    lacks: {},
    approval: noteApproval,
  },
  example('plain', { lacks: { approval: noApproval } }),
  example('embed', {
    lacks: { address: 'The address is that of the app: the assistant shows its last conversation.' },
    approval: { ask: 'Mark A-1 as paid', approve: /^Allow: mark_paid/u, says: 'Done.' },
  }),
  example('byok', {
    lacks: { approval: noApproval, address: 'The page shows its last conversation once it has a key.' },
    setUp: connect,
  }),
  example('extension', {
    lacks: {
      approval: 'Its tool reads a tab of the browser: scripts/packed/extension.mjs approves it in an extension.',
      address: 'A side panel has no address: it shows its last conversation.',
    },
    setUp: connect,
  }),
  example('model-picker', {
    lacks: { approval: noApproval },
    setUp: {
      needs: address,
      async act(hands, url) {
        // A page that is loading has no providers to choose from.
        await soon(() =>
          hands.tab.run(() => {
            const select = document.querySelector('select');
            if (select) select.value = 'other';
            return select?.value;
          }),
        ).toBe('other');
        await hands.fill({ role: 'textbox', name: 'Model' }, 'gpt-5-mini');
        await hands.fill(address, `${new URL(url).origin}/model/v1`);
        await hands.click({ role: 'button', name: 'Use this model' });
        await soon(() => hands.valueOf(address)).toBe('');
      },
    },
  }),
  example('local', { lacks: { approval: noApproval } }),
  example('outliving', { lacks: { approval: noApproval }, outlives: true }),
  example('agui', {
    lacks: { approval: 'Its tool is that of the remote agent: scripts/packed/examples.mjs approves it.' },
  }),
  example('approvals', {
    lacks: {
      message: 'It shows a call that waits: its button sends the only message.',
      stop: 'Its answer is one sentence.',
      continue: 'Its answer is one sentence.',
      queue: 'It has no field.',
      service: 'Its answer is a script.',
      address: 'It shows one conversation in two tabs: its link opens the second one.',
    },
    names: { send: 'Ask for a payment' },
    approval: { ask: '', approve: 'Approve', says: 'The payment is succeeded.' },
  }),
];

/** What is no page of a chat, and why: folders of examples/, templates, files of the README. */
export const noChats: Readonly<Record<string, string>> = {
  'examples/review': 'It reads an export. scripts/packed/examples.mjs opens one in it.',
  'examples/agents':
    'A client of its own plays a root and two agents, and asks for one task: scripts/packed/examples.mjs uses it.',
  'examples/two-agents':
    'Two agents talk to each other: a topic is no message of a chat. scripts/packed/examples.mjs uses it.',
  'examples/shared': 'The other examples import it.',
  'examples/assistant-ui':
    'Its components are installed in a copy of the folder only: scripts/packed/examples.mjs uses it.',
  'test/readme/import-map.html':
    'A line of a page without a bundler: scripts/packed/consumers.mjs uses it with the packed file.',
  'template next':
    'Next.js is installed by scripts/packed/consumers.mjs only, which uses it. Its chat is that of the template react.',
};
