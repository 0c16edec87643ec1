import { useImperativeHandle, useRef, useState } from 'react';
import { ask } from '../deltas.ts';
import type { Line } from '../bench.ts';
import { type ChatProps, Log, rowOf, show } from '../page.tsx';

const LineRow = rowOf<Line>(
  ({ role }) => role,
  ({ text }) => text,
);

/** Fetch, decode, split, parse, append, and one render a frame: nothing is stored, checked or retried. */
function Chat({ api, history, ref }: ChatProps) {
  const [messages, setMessages] = useState(history);
  const controller = useRef<AbortController>(undefined);

  useImperativeHandle(ref, () => ({
    stop: () => controller.current?.abort(),
    async send(said) {
      const { signal } = (controller.current = new AbortController());
      const asked: Line[] = [...messages, { id: crypto.randomUUID(), role: 'user', text: said }];
      let done = asked;
      let id = crypto.randomUUID();
      let text = '';
      let wasInput = false;
      let frame: number | undefined;
      const all = (): Line[] => [...done, { id, role: 'assistant', text }];
      const draw = (): void => {
        frame = undefined;
        setMessages(all());
      };
      setMessages(asked);
      const wire = asked.map((line) => ({ role: line.role, content: line.text }));
      for await (const deltas of ask(api, wire, signal)) {
        for (const delta of deltas) {
          // The answer after a tool is a row of its own.
          if (wasInput && !delta.isInput) {
            done = all();
            id = crypto.randomUUID();
            text = '';
          }
          wasInput = delta.isInput;
          text += delta.text;
        }
        frame ??= requestAnimationFrame(draw);
      }
      if (frame !== undefined) cancelAnimationFrame(frame);
      draw();
    },
  }));

  return (
    <Log>
      {messages.map((message) => (
        <LineRow key={message.id} message={message} />
      ))}
    </Log>
  );
}

show(Chat);
