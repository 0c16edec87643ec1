import { run } from '../core.ts';
import { ask } from '../deltas.ts';

/** Appends, and reads the text once a frame. */
await run(({ api, history }) => {
  let messages = history;
  let seen: readonly object[] = [];
  return async (said) => {
    const asked = [...messages, { id: crypto.randomUUID(), role: 'user' as const, text: said }];
    const id = crypto.randomUUID();
    let text = '';
    let frame: number | undefined;
    const look = (): void => {
      frame = undefined;
      seen = messages = [...asked, { id, role: 'assistant', text }];
    };
    const wire = asked.map((line) => ({ role: line.role, content: line.text }));
    for await (const deltas of ask(api, wire, new AbortController().signal)) {
      for (const delta of deltas) text += delta.text;
      frame ??= requestAnimationFrame(look);
    }
    look();
    return seen;
  };
});
