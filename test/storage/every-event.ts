import type { EventBody, SessionEvent } from 'brooklet/core';
import { toEvents } from './arbitrary-log.ts';

type Examples = { readonly [Type in EventBody['type']]: readonly Extract<EventBody, { readonly type: Type }>[] };

/** Marks that stand in the example events: for an attachment, an output of a tool, an instruction, and any other text. */
export const marks = { attachment: 'ATTMARK', output: 'OUTMARK', instruction: 'INSMARK', text: 'TXTMARK' } as const;

const { attachment, output, instruction, text } = marks;
const json = { [text]: [text, { deep: `a ${text} b` }], n: 7 };
const image = { type: 'image', mediaType: 'image/png', data: attachment, url: attachment, name: attachment } as const;
const usage = { input: 3, output: 2 };
const error = { type: 'LLM_SERVICE', code: 'LLM_API_ERROR', message: `Failed: ${text}`, retryable: false } as const;
const schema = { type: 'object', description: text };
const settings = {
  model: text,
  output: { name: text, schema, strict: true },
  tools: ['pay'],
  toolChoice: { name: 'pay' },
  providerParams: json,
} as const;

const call = {
  type: 'tool',
  callId: 'c0',
  name: 'pay',
  status: 'succeeded',
  inputText: JSON.stringify(json),
  input: json,
  editedInput: json,
  output: [
    { type: 'text', text: output },
    { ...image, data: `${attachment}${output}` },
  ],
  summary: output,
  details: { type: 'diff', filePath: output, oldContent: output, newContent: output },
  approval: {
    verdict: 'approved',
    decidedBy: 'user',
    reason: text,
    userName: text,
    answer: output,
    elicitation: schema,
  },
  provider: json,
} as const;

function message(id: string, role: 'system' | 'user' | 'assistant', word: string) {
  return {
    id,
    role,
    content: [{ type: 'text', text: `A ${word}.` }],
    timestamp: 5,
    metadata: { page: word },
  } as const;
}

const rich = {
  ...message('m2', 'assistant', text),
  content: [
    { type: 'text', text },
    { type: 'reasoning', text, provider: json },
    image,
    { type: 'source', url: `https://example.com/${text}`, title: text },
    { type: 'provider', name: 'web_search_call', data: { found: output } },
    call,
  ],
  status: 'complete',
  model: text,
  settings,
} as const;

/** Events of every type, with a mark in every text. tsc reports a type that is missing. */
const examples: Examples = {
  'session.started': [{ type: 'session.started', sessionId: 's', title: text }],
  'session.renamed': [{ type: 'session.renamed', title: text }],
  'metadata.changed': [{ type: 'metadata.changed', metadata: json }],
  'session.cleared': [{ type: 'session.cleared' }],
  'event.dropped': [{ type: 'event.dropped', of: text }],
  'session.imported': [{ type: 'session.imported' }],
  'session.rewound': [{ type: 'session.rewound', messageId: 'm1' }],
  'alternative.selected': [{ type: 'alternative.selected', messageId: 'm1' }],
  'message.added': [
    { type: 'message.added', message: message('m1', 'user', text) },
    { type: 'message.added', message: message('m0', 'system', instruction) },
    { type: 'message.added', message: rich },
    { type: 'message.added', message: message('m6', 'user', text), supersedes: 'm1' },
  ],
  'message.updated': [{ type: 'message.updated', message: { ...rich, id: 'm3' } }],
  'message.removed': [{ type: 'message.removed', messageId: 'm0' }],
  'message.queued': [{ type: 'message.queued', message: message('m4', 'user', text), mode: 'queue', settings }],
  'message.unqueued': [{ type: 'message.unqueued', messageId: 'm4' }],
  'run.started': [{ type: 'run.started', runId: 'r1', settings }],
  'run.ended': [{ type: 'run.ended', runId: 'r1', outcome: 'failed', error }],
  'instructions.changed': [
    {
      type: 'instructions.changed',
      contentId: 'i1',
      messages: [message('p1', 'system', instruction), message('p2', 'user', instruction)],
    },
  ],
  'tools.changed': [
    { type: 'tools.changed', contentId: 't1', tools: [{ name: 'pay', description: text, inputSchema: schema }] },
  ],
  'reply.started': [
    {
      type: 'reply.started',
      messageId: 'm5',
      request: { instructions: 'i1', tools: 't1', model: text, providerParams: json, toolChoice: 'auto' },
    },
  ],
  'reply.refused': [{ type: 'reply.refused', error }],
  'text.delta': [
    { type: 'text.delta', text: `It is ${text.slice(0, 3)}`, cadence: [0, 4, 9, 5] },
    { type: 'text.delta', text: `${text.slice(3)} and ${text}.`, cadence: [1, 2, 1, 1] },
  ],
  'reasoning.delta': [{ type: 'reasoning.delta', text: `Hm ${text}`, provider: json, startedAt: 1 }],
  'call.delta': [
    { type: 'call.delta', callId: 'c1', name: 'pay', text: `{"a":"${text.slice(0, 2)}` },
    { type: 'call.delta', callId: 'c1', text: `\\u0054${text.slice(3)}"}` },
    { type: 'call.delta', callId: 'c2', name: 'pay', text: `{"cut":"\\u0054${text.slice(1)}` },
  ],
  'part.added': [
    { type: 'part.added', part: image },
    { type: 'part.added', part: { type: 'provider', name: 'web_search_call', data: { found: output } } },
  ],
  'call.requested': [
    {
      type: 'call.requested',
      callId: 'c1',
      name: 'pay',
      inputText: JSON.stringify(json).replaceAll('T', String.raw`\u0054`),
      input: json,
      provider: json,
    },
  ],
  'reply.ended': [{ type: 'reply.ended', finish: 'tool-calls', raw: text, usage, model: text }],
  'approval.requested': [{ type: 'approval.requested', callId: 'c1', toolVersion: 'v', elicitation: schema }],
  'approval.proposed': [
    {
      type: 'approval.proposed',
      callId: 'c1',
      proposal: { verdict: 'approved', input: json, reason: text, answer: json, userName: text, fingerprint: text },
      proof: { device: 'd1', signature: 'c2lnbmF0dXJl' },
    },
  ],
  'approval.decided': [
    {
      type: 'approval.decided',
      callId: 'c1',
      verdict: 'approved',
      decidedBy: 'user',
      input: json,
      reason: text,
      rejectionText: output,
      answer: { said: output },
      userName: text,
      proof: { device: 'd1', signature: 'c2lnbmF0dXJl' },
    },
  ],
  'rule.revoked': [{ type: 'rule.revoked', name: text }],
  'call.started': [{ type: 'call.started', callId: 'c1', attempt: 1, server: text }],
  'call.progress': [{ type: 'call.progress', callId: 'c1', progress: { at: output } }],
  'call.ended': [
    {
      type: 'call.ended',
      callId: 'c1',
      outcome: 'succeeded',
      output: { paid: output },
      summary: output,
      details: { type: 'json', value: output },
    },
  ],
  'context.compacted': [
    {
      type: 'context.compacted',
      compactionId: 'k1',
      cause: 'user',
      strategy: text,
      through: 'm1',
      summary: text,
      tokens: { before: 9, after: 3 },
      usage,
      model: text,
    },
  ],
  'context.compaction-failed': [{ type: 'context.compaction-failed', cause: 'user', error, model: text }],
  'context.restored': [{ type: 'context.restored', compactionId: 'k1' }],
  'message.pinned': [{ type: 'message.pinned', messageId: 'm1', pinned: true }],
};

/** An order in which most of the events apply. */
const order: readonly EventBody['type'][] = [
  ...(['metadata.changed', 'message.added', 'message.updated', 'run.started', 'instructions.changed'] as const),
  ...(['tools.changed', 'reply.started', 'reasoning.delta', 'text.delta', 'message.queued', 'part.added'] as const),
  ...(['call.delta', 'call.requested', 'reply.ended', 'approval.requested', 'approval.decided'] as const),
  ...(['call.started', 'call.progress', 'call.ended', 'run.ended', 'context.compacted', 'message.pinned'] as const),
];

/** A log with events of every type, and one of a type that this version does not know. */
export function everyEvent(): readonly SessionEvent[] {
  const { 'session.started': started, ...later } = examples;
  const bodies: readonly EventBody[] = [
    ...order.flatMap((type): readonly EventBody[] => examples[type]),
    ...Object.values<readonly EventBody[]>(later)
      .flat()
      .filter(({ type }) => !order.includes(type)),
  ];
  const events = toEvents([...bodies, { type: 'moon.landed', crew: text }], 's');
  const [first] = started;
  return events.map((event) => (event.type === 'session.started' ? { ...event, ...first } : event));
}
