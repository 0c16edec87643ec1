import type { EventBody } from '../event.ts';
import { type FieldsByType, id, title, typed, word } from './fields.ts';
import { flag, jsonObject, type Shape } from './shape.ts';

/** The events that verbs record directly from their arguments. */
type VerbEvent = Extract<
  EventBody,
  {
    readonly type:
      | 'session.renamed'
      | 'metadata.changed'
      | 'message.removed'
      | 'message.unqueued'
      | 'message.pinned'
      | 'context.restored'
      | 'rule.revoked';
  }
>;

export const verbFields: FieldsByType<VerbEvent> = {
  'session.renamed': { title },
  'metadata.changed': { metadata: jsonObject },
  'message.unqueued': { messageId: id },
  'message.removed': { messageId: id },
  'message.pinned': { messageId: id, pinned: flag },
  'context.restored': { compactionId: id },
  'rule.revoked': { name: word },
};

export const verbEvent: Shape = typed<VerbEvent>(verbFields);
