import {
  AssistantRuntimeProvider,
  type ChatModelAdapter,
  ThreadPrimitive,
  useAuiState,
  useLocalRuntime,
} from '@assistant-ui/react';
import { useImperativeHandle, useState } from 'react';
import { ask } from '../deltas.ts';
import { type ChatProps, Log, Row, show } from '../page.tsx';

/** The local runtime has no provider: this is the floor's, in the shape that the runtime requires. */
function createAdapter(api: string): ChatModelAdapter {
  return {
    async *run({ messages, abortSignal }) {
      const wire = messages.map(({ role, content }) => ({
        role,
        content: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      }));
      let text = '';
      let input = '';
      for await (const deltas of ask(api, wire, abortSignal)) {
        for (const delta of deltas) {
          if (delta.isInput) input += delta.text;
          else text += delta.text;
        }
        yield {
          content: [
            ...(text === '' ? [] : [{ type: 'text' as const, text }]),
            ...(input === ''
              ? []
              : [{ type: 'tool-call' as const, toolCallId: 'call', toolName: 'write', args: {}, argsText: input }]),
          ],
        };
      }
    },
  };
}

function MessageRow() {
  const message = useAuiState((state) => state.message);
  let text = '';
  for (const part of message.content) {
    if (part.type === 'text') text += part.text;
    if (part.type === 'tool-call') text += part.argsText;
  }
  return <Row role={message.role} text={text} />;
}

const components = { Message: MessageRow };

function Chat({ api, history, ref }: ChatProps) {
  const [adapter] = useState(() => createAdapter(api));
  const runtime = useLocalRuntime(adapter, {
    initialMessages: history.map(({ id, role, text }) => ({ id, role, content: [{ type: 'text', text }] })),
  });
  useImperativeHandle(
    ref,
    () => ({
      stop: () => runtime.thread.cancelRun(),
      send: (text) =>
        new Promise<void>((resolve) => {
          let begun = false;
          const unsubscribe = runtime.thread.subscribe(() => {
            const { isRunning } = runtime.thread.getState();
            if (begun && !isRunning) {
              unsubscribe();
              resolve();
            }
            begun ||= isRunning;
          });
          runtime.thread.append({ role: 'user', content: [{ type: 'text', text }] });
        }),
    }),
    [runtime],
  );
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Log>
        <ThreadPrimitive.Messages components={components} />
      </Log>
    </AssistantRuntimeProvider>
  );
}

show(Chat);
