import { english, type LabelOverrides } from 'brooklet/ui';

/** The texts of the parts of a chat that Studio has in its own words, in English. */
export const partsEn: LabelOverrides = {
  composer: {
    drop: 'Drop images, text files or PDFs here',
    unsupported: (name) => `${name}: only images, text files and PDFs can be attached.`,
  },
  approval: { agentTitle: 'The same in every conversation, until you revoke the rule in Settings' },
  notice: {
    cures: {
      ...english.notice.cures,
      AUTHENTICATION_FAILED: 'Check the key in the settings.',
      MODEL_NOT_FOUND: 'Choose another model in the settings.',
      MODEL_NOT_READY: 'Download it in the settings.',
      CONTEXT_OVERFLOW: 'Send less, start a new chat, or delete messages.',
      SESSION_NOT_FOUND:
        'It was deleted, it was made in another browser, or this browser has erased it (Safari does so after seven days without a visit). If you have exported it, open that file.',
    },
  },
};
