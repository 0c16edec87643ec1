import type { Mutation } from '../../scripts/mutation.mjs';

const fault = (file: string, ...swaps: Mutation['swaps']): Mutation => ({
  file: `test/skill/solutions/${file}`,
  swaps,
});

/** Plausible faults, each as swaps in a solution, which compiles with them. The check of its task must refuse it. */
export const faults: Readonly<Record<string, Mutation>> = {
  'asks in a dialog of the browser, within the call': fault(
    'approval.ts',
    ['    needsApproval: ({ cents }) => cents > 1_000,\n', ''],
    ['charge(cents),', "(cents <= 1_000 || confirm('Pay?') ? charge(cents) : 'The user refused.'),"],
  ),
  'cancels the run where a call is rejected': fault(
    'approvals.tsx',
    ['approve, reject }', 'approve, stop }'],
    ["void reject(call.callId, { fingerprint, reason: 'Not now.' })", 'stop()'],
  ),
  'rejects a call without the reason': fault('approvals.tsx', [", reason: 'Not now.'", '']),
  'takes any answer': fault('ask-user.ts', ["({ free }) => z.enum(free).meta({ title: 'Which seat?' })", 'z.string()']),
  'lists only the calls that have run': fault('audit.ts', [
    'return calls.map',
    "return calls.filter(({ outcome }) => outcome === 'succeeded').map",
  ]),
  'makes a copy of each conversation that is already there': fault('backup.ts', ["'skip'", "'copy'"]),
  'loses the earlier question': fault('edit-question.ts', [
    'const { message, error } = await session.edit(question.id, text);',
    `session.updateMessage(question.id, (message) => ({ ...message, content: [{ type: 'text', text }] }));
     const { message, error } = await session.regenerate();`,
  ]),
  'has the reasoning in its answer': fault('first-answer.ts', [
    'extractTextContent(message)',
    "message.content.map((part) => ('text' in part ? part.text : '')).join('')",
  ]),
  'resolves where a run failed': fault('first-answer.ts', ['if (error) throw error;', '']),
  'limits tokens, and leaves the number of requests at its default': fault('limits.ts', [
    'maxSteps: 3',
    'budget: { tokens: 3 }',
  ]),
  'reads the key once': fault('openai-client.ts', ['apiKey: getKey', 'apiKey: getKey()']),
  'has a button "Stop" that does nothing': fault('plain-chat.ts', ['session.cancel()', '{}']),
  'ends the answer that is under way': fault('queue.ts', ["'queue'", "'interrupt'"]),
  'offers no "Stop" while an answer is under way': fault('react-chat.tsx', [
    "status === 'running'",
    "status === 'waiting'",
  ]),
  'repeats requests to both clients together, so that the second one answers at the first failure': fault(
    'resilient-client.ts',
    [
      'withFallback([withRetry(first, { retries: 2, firstDelay: 10 }), second])',
      'withRetry(withFallback([first, second]), { retries: 2, firstDelay: 10 })',
    ],
  ),
  'reads only the first page of the list': fault('resume.ts', ['while (cursor !== undefined)', 'while (false)']),
  'searches the titles only': fault(
    'session-list.tsx',
    ['useSessions({ search })', 'useSessions()'],
    ['sessions.map', 'sessions.filter(({ title }) => title.includes(search)).map'],
  ),
  'stores each conversation, and always starts a new one': fault('stored-session.ts', ['sessions[0]?.id ?? ', '']),
  'shows only what has been completed': fault('stream-text.ts', [
    'messages.at(-1)',
    "messages.findLast(({ status }) => status !== 'streaming')",
  ]),
  'has both answers in the first request': fault('test-client.ts', ['], [', ', ']),
  'asks for JSON in words, and checks nothing': fault(
    'typed-answer.ts',
    ['defineOutput }', 'defineOutput, extractTextContent }'],
    ['`Read this invoice:\\n${text}`, { output: invoice }', '`Answer with JSON, number and total:\\n${text}`'],
    ['invoice.read(message)', 'JSON.parse(extractTextContent(message))'],
  ),
  'has a schema that accepts any input': fault(
    'weather-tool.ts',
    ['z.object({ city: z.string().min(1) })', "{ type: 'object' }"],
    ['lookUp(city)', 'lookUp(String(city))'],
  ),
  'does not tell the model what to do after a failure': fault('weather-tool.ts', [
    ' Ask the user for another city.',
    '',
  ]),
};
