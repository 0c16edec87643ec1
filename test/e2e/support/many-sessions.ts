const minute = 60_000;

/** Returns an export of Studio: `Conversation 0` is the newest one, and each has a question and an answer. All are of today or yesterday. */
export function manySessions(count: number): string {
  const now = Date.now();
  return Array.from({ length: count }, (_none, index) => linesOf(index, now - index * minute)).join('');
}

function linesOf(index: number, at: number): string {
  const id = `many-${index}`;
  const message = (role: string, text: string) => ({
    type: 'message.added',
    message: { id: `${role}-${index}`, role, content: [{ type: 'text', text }], timestamp: at },
  });
  const bodies = [
    { type: 'session.started', sessionId: id, title: `Conversation ${index}` },
    message('user', `Question ${index}.`),
    message('assistant', `Answer ${index}.`),
  ];
  const counted = { status: 'idle', messageCount: 2, usage: { input: 0, output: 0 }, seq: bodies.length };
  const head = { id, title: `Conversation ${index}`, createdAt: at, updatedAt: at, ...counted };
  const lines = [
    { format: 'brooklet', version: 1, head },
    ...bodies.map((body, place) => ({ ...body, seq: place + 1, at, v: 2 })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
