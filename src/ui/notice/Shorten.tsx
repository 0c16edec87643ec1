import type { ReactElement } from 'react';
import { isText } from '../base/bytesOf.ts';
import { visible } from '../base/visible.ts';
import { firstPartOf } from '../composer/firstPartOf.ts';
import type { MediaPart, Message, Part } from '../../core/model/index.ts';
import type { UseChatResult } from '../../react/index.ts';
import type { Labels } from '../labels/english.ts';
import { useLabels } from '../labels/useLabels.ts';

/** Of the file, where it is not known how much the model takes. */
const usualShare = 0.5;
/** Characters of base64 in a token: three bytes of text. */
const charactersOfToken = 4;

interface ShortenProps {
  readonly chat: UseChatResult;
  readonly question: Message;
  readonly file: MediaPart;
  readonly words: Labels['notice'];
}

/** For a message that is too long: sends it again with the first part of its largest file, or without the file. The question stays as it was typed. */
export function Shorten({ chat, question, file, words }: ShortenProps): ReactElement {
  const { attachment } = useLabels('message', undefined);
  const { restLeftOut } = useLabels('composer', undefined);
  const name = visible(file.name ?? attachment);
  const sendAgain = (part: Part | undefined): void => {
    const content = question.content.flatMap((one) => (one === file ? (part ?? []) : one));
    void chat.edit(question.id, { content });
  };
  const usable = chat.session?.getContext()?.usable;
  const tokens = (file.data?.length ?? 0) / charactersOfToken;
  const share = usable === undefined ? usualShare : Math.min(usualShare, usable / tokens);
  return (
    <>
      {isText(file) && (
        <button
          type="button"
          className="bk-button"
          data-state="primary"
          onClick={() => sendAgain(firstPartOf(file, share, restLeftOut))}
        >
          {words.sendFirstPart(name)}
        </button>
      )}
      {question.content.length > 1 && (
        <button
          type="button"
          className="bk-button"
          data-state={isText(file) ? undefined : 'primary'}
          onClick={() => sendAgain(undefined)}
        >
          {words.sendWithout(name)}
        </button>
      )}
    </>
  );
}

/** Returns the largest file of a message, if it has one that is part of it. */
export function largestFile(question: Message | undefined): MediaPart | undefined {
  const files = question?.content.filter((one): one is MediaPart => one.type === 'file' || one.type === 'image') ?? [];
  return files.toSorted((a, b) => (b.data?.length ?? 0) - (a.data?.length ?? 0))[0];
}
