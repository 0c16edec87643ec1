import { extractTextContent } from 'brooklet';
import type { QueuedMessage } from 'brooklet/core';
import type { ReactElement } from 'react';
import { Icon } from '../ui/Icon.tsx';

interface QueueProps {
  readonly queue: readonly QueuedMessage[];
  readonly isBusy: boolean;
  readonly onRemove: (messageId: string) => void;
  /** Sends a waiting message now: after a stop the messages would wait until the next run. */
  readonly onSendNow: (messageId: string, text: string) => void;
}

/** The messages that were sent during a run and wait for their turn. */
export function Queue({ queue, isBusy, onRemove, onSendNow }: QueueProps): ReactElement | null {
  if (queue.length === 0) return null;
  return (
    <ol className="queue" aria-label="Waiting messages">
      {queue.map(({ message, mode }) => {
        const text = extractTextContent(message);
        return (
          <li key={message.id}>
            <span className="queue-when">
              {!isBusy ? 'Waiting' : mode === 'steer' ? 'At the next step' : 'After this answer'}
            </span>
            <bdi className="queue-text" title={text}>
              {text}
            </bdi>
            {!isBusy && (
              <button type="button" className="quiet small" onClick={() => onSendNow(message.id, text)}>
                Send now
              </button>
            )}
            <button
              type="button"
              className="quiet small"
              aria-label={`Do not send “${text}”`}
              title="Do not send"
              onClick={() => onRemove(message.id)}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ol>
  );
}
