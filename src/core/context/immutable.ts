import { type Message, type MessageInput, type Role, toMessage } from '../model/message.ts';

/** Returns the first messages of every request of an agent: the instructions, then the presets. */
export function toImmutable(instructions?: string, presets: readonly MessageInput[] = []): readonly Message[] {
  return [
    ...(instructions ? [textMessage('system', 'instructions', instructions)] : []),
    ...presets.map((preset, index) => toMessage({ id: `preset-${index + 1}`, timestamp: 0, ...preset }, noPorts)),
  ];
}

/** Not called: each preset gets an id and a timestamp. */
const noPorts = { id: () => '', now: () => 0 };

export function textMessage(role: Role, id: string, text: string): Message {
  return { id, role, content: [{ type: 'text', text }], timestamp: 0 };
}
