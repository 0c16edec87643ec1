import { render } from '@testing-library/react';
import axe from 'axe-core';
import { createAgent, type ToolPart } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import {
  Announcer,
  Approval,
  chinese,
  CodeBlock,
  Composer,
  Diff,
  english,
  Markdown,
  QueueChips,
  RunNotice,
  SchemaForm,
  Thread,
  ToolCall,
  Versions,
} from 'brooklet/ui';
import type { ReactElement } from 'react';
import { afterAll, describe, expect, it } from 'vitest';

const call: ToolPart = {
  type: 'tool',
  callId: 'c',
  name: 'pay_bill',
  status: 'awaiting-approval',
  inputText: '{"to":"Mill","amount":5}',
  input: { to: 'Mill', amount: 5 },
};
const statuses = [
  'streaming',
  'started',
  'succeeded',
  'failed',
  'rejected',
  'expired',
  'uncertain',
  'invalid',
] as const;
const text = `# Heading

Some *words* and [a link](https://example.com), a note[^1].

- [x] done
- [ ] not done

| a | b |
| - | -: |
| 1 | 2 |

![A picture](https://example.com/a.png)

\`\`\`ts
const a = 1;
\`\`\`

[^1]: The note.`;
const form = {
  type: 'object',
  title: 'Which seat?',
  properties: {
    name: { type: 'string' },
    seats: { type: 'integer' },
    window: { type: 'boolean' },
    row: { enum: ['front', 'back'] },
  },
  required: ['name'],
} as const;
const nothing = (): void => {};

afterAll(() => {
  // What axe leaves in the window, for the files after this one.
  for (const name of ['axe', '__core-js_shared__']) Reflect.deleteProperty(globalThis, name);
});

/** What a screen reader finds wrong in a part by itself. Contrast needs a browser: `test/e2e/ui.test.ts` and its neighbours look at it. */
async function problemsOf(part: ReactElement): Promise<readonly string[]> {
  const { container } = render(<main>{part}</main>);
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const agent = createAgent({ client: createScriptedClient([[reply.text('Hi')]]) });
function Conversation({ labels }: { readonly labels: typeof english }): ReactElement {
  const chat = useChat({ sessionId: 'one', create: true });
  return (
    <Announcer session={chat.session} labels={labels.announcer}>
      <Thread chat={chat} labels={labels.thread} empty="Empty">
        <RunNotice chat={chat} labels={labels.notice} />
      </Thread>
      <Composer chat={chat} labels={labels.composer} />
    </Announcer>
  );
}

describe.each([
  ['English', english],
  ['Chinese', chinese],
])('axe finds nothing in a part by itself, in %s:', (_language, labels) => {
  it.each<[string, () => ReactElement]>([
    ['Markdown', () => <Markdown text={text} labels={labels.markdown} />],
    ['Markdown that grows', () => <Markdown text={text.slice(0, 120)} isUnfinished labels={labels.markdown} />],
    ['CodeBlock', () => <CodeBlock language="ts" text={'const a = 1;\n'.repeat(60)} labels={labels.code} />],
    ['Diff', () => <Diff before={'a\nb'} after={'a\nc'} name="poem.txt" labels={labels.diff} />],
    ['Versions', () => <Versions count={3} index={1} onSelect={nothing} labels={labels.versions} />],
    [
      'QueueChips',
      () => (
        <QueueChips
          queue={[
            {
              message: { id: 'm', role: 'user', content: [{ type: 'text', text: 'Wait' }], timestamp: 1 },
              mode: 'queue',
            },
          ]}
          isBusy
          onRemove={nothing}
          onSendNow={nothing}
          labels={labels.queue}
        />
      ),
    ],
    [
      'Composer',
      () => (
        <Composer
          chat={{ status: 'running', send: async () => undefined, stop: nothing }}
          value="Text"
          onValue={nothing}
          labels={labels.composer}
        />
      ),
    ],
    ['Approval', () => <Approval call={call} onApprove={nothing} onReject={nothing} labels={labels.approval} />],
    [
      'SchemaForm with fields',
      () => <SchemaForm schema={form} onSubmit={nothing} onDecline={nothing} labels={labels.form} />,
    ],
    [
      'SchemaForm as JSON',
      () => <SchemaForm schema={{ type: 'array' }} onSubmit={nothing} isJSON labels={labels.form} />,
    ],
    [
      'Thread, RunNotice and Announcer',
      () => (
        <AgentProvider agent={agent}>
          <Conversation labels={labels} />
        </AgentProvider>
      ),
    ],
    ...statuses.map((status): [string, () => ReactElement] => [
      `ToolCall, ${status}`,
      () => <ToolCall call={{ ...call, status, output: 'Paid.' }} isOpen labels={labels.tool} />,
    ]),
  ])('%s', async (_name, part) => {
    expect(await problemsOf(part())).toEqual([]);
  });
});

it('axe sees a part without a name', async () => {
  expect(await problemsOf(<input />)).toEqual([expect.stringMatching(/^label/u)]);
});
