import { extractTextContent, type Message } from 'brooklet';
import type { QueuedMessage } from 'brooklet/core';
import type { ReactElement } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { useTexts } from '../texts/useTexts.ts';

interface QueueProps {
  readonly queue: readonly QueuedMessage[];
  readonly isBusy: boolean;
  readonly onRemove: (messageId: string) => void;
  /** Sends a waiting message now: after a stop the messages would wait until the next run. */
  readonly onSendNow: (message: Message) => void;
}

/** The messages that were sent during a run and wait for their turn. */
export function Queue({ queue, isBusy, onRemove, onSendNow }: QueueProps): ReactElement | null {
  const { queue: words } = useTexts();
  if (queue.length === 0) return null;
  return (
    <ol className="queue" aria-label={words.label}>
      {queue.map(({ message, mode }) => {
        const text = extractTextContent(message) || namesOf(message);
        return (
          <li key={message.id}>
            <span className="queue-when">
              {!isBusy ? words.waiting : mode === 'steer' ? words.nextStep : words.afterAnswer}
            </span>
            <bdi className="queue-text" title={text}>
              {text}
            </bdi>
            {!isBusy && (
              <button type="button" className="quiet small" onClick={() => onSendNow(message)}>
                {words.sendNow}
              </button>
            )}
            <button
              type="button"
              className="quiet small"
              aria-label={words.removeText(text)}
              title={words.remove}
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

/** The names of the files of a message without text. */
function namesOf({ content }: Message): string {
  return content.flatMap((part) => ('mediaType' in part ? (part.name ?? part.mediaType) : [])).join(', ');
}
