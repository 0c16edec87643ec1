import type { ReactElement } from 'react';
import { IconButton } from '../base/IconButton.tsx';
import { part } from '../base/part.ts';
import { extractTextContent, type Message } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { QueueChipsProps } from '../props.ts';

/** Characters of a waiting message that are shown. */
const maxText = 300;

/** The messages that were sent during a run and wait for their turn. */
export function QueueChips(props: QueueChipsProps): ReactElement | null {
  const { queue, isBusy, onRemove, onSendNow, labels, className } = props;
  const words = useLabels('queue', labels);
  if (queue.length === 0) return null;
  return (
    <ol {...part('queue', className, isBusy ? 'busy' : 'idle')} aria-label={words.label}>
      {queue.map(({ message, mode, due }) => {
        const text = (extractTextContent(message) || namesOf(message)).slice(0, maxText);
        return (
          <li key={message.id}>
            <span className="bk-hint">
              {due !== undefined
                ? words.planned(due)
                : !isBusy
                  ? words.waiting
                  : mode === 'steer'
                    ? words.nextStep
                    : words.afterAnswer}
            </span>
            <bdi title={text}>{text}</bdi>
            {!isBusy && (
              <button type="button" className="bk-button" onClick={() => onSendNow(message)}>
                {words.sendNow}
              </button>
            )}
            <IconButton icon="close" label={words.remove(text)} onClick={() => onRemove(message.id)} />
          </li>
        );
      })}
    </ol>
  );
}

/** The names of the files of a message without text. */
function namesOf({ content }: Message): string {
  return content.flatMap((one) => ('mediaType' in one ? (one.name ?? one.mediaType) : [])).join(', ');
}
