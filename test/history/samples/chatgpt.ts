import type { JsonObject } from 'brooklet';

// Made by hand after the form of ChatGPT's data export: see src/history/chatgpt.ts.

interface Facts {
  readonly at?: number;
  readonly name?: string;
  readonly recipient?: string;
  readonly metadata?: JsonObject;
}

/** A message of a node. */
export function said(id: string, role: string, content: JsonObject | string, facts: Facts = {}): JsonObject {
  const { at = 1_700_000_000, name = null, recipient = 'all', metadata = {} } = facts;
  return {
    id,
    author: { role, name, metadata: {} },
    create_time: at,
    update_time: null,
    content: typeof content === 'string' ? { content_type: 'text', parts: [content] } : content,
    status: 'finished_successfully',
    end_turn: null,
    weight: 1,
    metadata,
    recipient,
    channel: null,
  };
}

/** A conversation of nodes, each `[message, id of its parent]`. */
export function conversation(
  id: string,
  nodes: readonly (readonly [message: JsonObject, parent: string])[],
  current: string,
  more: JsonObject = {},
): JsonObject {
  const idOf = ({ id: own }: JsonObject): string => (typeof own === 'string' ? own : '');
  const childrenOf = (parent: string): string[] =>
    nodes.filter(([, own]) => own === parent).map(([message]) => idOf(message));
  const root = { id: 'client-created-root', message: null, parent: null, children: childrenOf('client-created-root') };
  const mapping = Object.fromEntries(
    nodes.map(([message, parent]) => [
      idOf(message),
      { id: idOf(message), message, parent, children: childrenOf(idOf(message)) },
    ]),
  );
  return {
    title: `Conversation ${id}`,
    create_time: 1_700_000_000.123456,
    update_time: 1_700_000_100,
    mapping: { 'client-created-root': root, ...mapping },
    moderation_results: [],
    current_node: current,
    plugin_ids: null,
    conversation_id: id,
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
    safe_urls: [],
    default_model_slug: 'auto',
    id,
    ...more,
  };
}

const root = 'client-created-root';

/** A question, edited once, with an answer that was regenerated twice. */
export const branched = conversation(
  'c-branched',
  [
    [said('sys', 'system', '', { metadata: { is_visually_hidden_from_conversation: true } }), root],
    [said('u1', 'user', 'Which otter is the biggest?', { at: 1_700_000_001 }), 'sys'],
    [said('a1', 'assistant', 'The sea otter.', { at: 1_700_000_002, metadata: { model_slug: 'gpt-4o' } }), 'u1'],
    [said('a2', 'assistant', 'The giant otter.', { at: 1_700_000_003, metadata: { model_slug: 'gpt-4o' } }), 'u1'],
    [said('u2', 'user', 'Where does it live?', { at: 1_700_000_004 }), 'a2'],
    [said('a3', 'assistant', 'In the Amazon.', { at: 1_700_000_005 }), 'u2'],
    [said('a4', 'assistant', 'In South America.', { at: 1_700_000_006 }), 'u2'],
    [said('u1b', 'user', 'Which otter is the smallest?', { at: 1_700_000_007 }), 'sys'],
    [said('a5', 'assistant', 'The Asian small-clawed otter.', { at: 1_700_000_008 }), 'u1b'],
  ],
  'a3',
);

/** An answer with reasoning, code that ran, a search, pictures, a file and hidden context. */
export const rich = conversation(
  'c-rich',
  [
    [
      said('ctx', 'user', {
        content_type: 'user_editable_context',
        user_profile: 'I like otters.',
        user_instructions: 'Be brief.',
      }),
      root,
    ],
    [
      said(
        'q',
        'user',
        {
          content_type: 'multimodal_text',
          parts: [
            {
              content_type: 'image_asset_pointer',
              asset_pointer: 'file-service://file-abc',
              width: 1,
              height: 1,
              size_bytes: 9,
            },
            'What is in the picture?',
          ],
        },
        {
          metadata: {
            attachments: [
              { id: 'file-abc', name: 'otter.png', mime_type: 'image/png' },
              { id: 'file-def', name: 'notes.pdf', mime_type: 'application/pdf' },
            ],
          },
        },
      ),
      'ctx',
    ],
    [
      said('t', 'assistant', {
        content_type: 'thoughts',
        thoughts: [{ summary: 'Looking', content: 'It has whiskers.', chunks: [], finished: true }],
        source_analysis_msg_id: 'x',
      }),
      'q',
    ],
    [said('r', 'assistant', { content_type: 'reasoning_recap', content: 'Thought for 8s' }), 't'],
    [
      said(
        'code',
        'assistant',
        { content_type: 'code', language: 'unknown', text: 'print(1 + 1)' },
        { recipient: 'python', metadata: { model_slug: 'o3' } },
      ),
      'r',
    ],
    [said('out', 'tool', { content_type: 'execution_output', text: '2' }, { name: 'python' }), 'code'],
    [
      said(
        'search',
        'assistant',
        { content_type: 'code', language: 'json', text: '{"search_query":[{"q":"otter"}]}' },
        { recipient: 'web.run' },
      ),
      'out',
    ],
    [
      said(
        'found',
        'tool',
        {
          content_type: 'tether_quote',
          url: 'https://otter.example/a',
          domain: 'otter.example',
          title: 'Otters',
          text: 'They swim.',
        },
        { name: 'web.run' },
      ),
      'search',
    ],
    [
      said(
        'a',
        'assistant',
        { content_type: 'text', parts: ['An otter.\ue200cite\ue202turn0search0\ue201'] },
        {
          metadata: {
            model_slug: 'o3',
            finish_details: { type: 'stop', stop_tokens: [200002] },
            content_references: [
              {
                matched_text: '\ue200cite\ue202turn0search0\ue201',
                type: 'grouped_webpages',
                items: [{ title: 'Otters', url: 'https://otter.example/a' }],
              },
            ],
          },
        },
      ),
      'found',
    ],
    [
      said(
        'img',
        'tool',
        {
          content_type: 'multimodal_text',
          parts: [
            {
              content_type: 'image_asset_pointer',
              asset_pointer: 'sediment://file_1',
              width: 1,
              height: 1,
              size_bytes: 1,
            },
          ],
        },
        { name: 't2uay3k.sj1i4kz' },
      ),
      'a',
    ],
    [
      said('voice', 'user', {
        content_type: 'multimodal_text',
        parts: [
          { content_type: 'audio_transcription', text: 'Thank you', direction: 'in', decoding_id: null },
          {
            content_type: 'real_time_user_audio_video_asset_pointer',
            frames_asset_pointers: [],
            video_container_asset_pointer: null,
            audio_asset_pointer: { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_2' },
          },
        ],
      }),
      'img',
    ],
    [said('new', 'assistant', { content_type: 'hologram', data: 'x' }), 'voice'],
  ],
  'new',
);

/** An export with this number of conversations, of a few messages each. */
export function manyConversations(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const at = 1_700_000_000 + index * 100;
    const calls = index % 5 === 0;
    return conversation(
      `0000${index}`.slice(-4).padStart(36, '0'),
      [
        [said(`u${index}`, 'user', `Question ${index} about ${index === 321 ? 'axolotls' : 'otters'}`, { at }), root],
        ...(calls
          ? ([
              [
                said(
                  `k${index}`,
                  'assistant',
                  { content_type: 'code', language: 'unknown', text: `print(${index})` },
                  { at: at + 1, recipient: 'python', metadata: { model_slug: 'gpt-4o' } },
                ),
                `u${index}`,
              ],
              [
                said(
                  `o${index}`,
                  'tool',
                  { content_type: 'execution_output', text: String(index) },
                  { at: at + 2, name: 'python' },
                ),
                `k${index}`,
              ],
            ] as const)
          : []),
        [
          said(`a${index}`, 'assistant', `Answer ${index}. ${'Words and more words. '.repeat(40)}`, {
            at: at + 3,
            metadata: { model_slug: 'gpt-4o' },
          }),
          calls ? `o${index}` : `u${index}`,
        ],
        [
          said(`b${index}`, 'assistant', `Another answer ${index}.`, {
            at: at + 4,
            metadata: { model_slug: 'gpt-4o' },
          }),
          calls ? `o${index}` : `u${index}`,
        ],
      ],
      `b${index}`,
    );
  });
}
