/** @jsxImportSource preact */
import type { VNode } from 'preact';
import type { Approval, MediaPart, Part, ToolPart } from '../../core/model/message.ts';
import { outputText } from '../output-text.ts';
import { formatCount, shorten, toJsonText } from './format.ts';
import type { ViewerTexts } from './texts/en.ts';
import { textFor } from './texts/text-for.ts';
import { useTexts } from './texts/use-texts.ts';

/** One part of a message, as text: no link leads anywhere, and no picture is loaded. */
export function SeenPart({ part }: { readonly part: Part }): VNode | null {
  const texts = useTexts();
  switch (part.type) {
    case 'text':
      return <bdi class="text">{shorten(texts, part.text)}</bdi>;
    case 'reasoning':
      return (
        <details>
          <summary>{texts.thoughts}</summary>
          <bdi class="text">{shorten(texts, part.text)}</bdi>
        </details>
      );
    case 'tool':
      return <SeenCall call={part} />;
    case 'image':
    case 'audio':
    case 'file':
      return <p class="hint">{mediaText(texts, part)}</p>;
    case 'source':
      return (
        <p class="hint">
          {texts.source} <bdi>{part.title === undefined ? part.url : `${part.title} (${part.url})`}</bdi>
        </p>
      );
    default:
      return null;
  }
}

function mediaText(texts: ViewerTexts, { type, mediaType, name, data, url }: MediaPart): string {
  const place = url === undefined || url.startsWith('data:') ? [] : [url];
  const size = data === undefined ? [] : [texts.bytes(formatCount(texts, Math.ceil((data.length * 3) / 4)))];
  return [name ?? type, mediaType, ...size, ...place].join(' · ');
}

function SeenCall({ call }: { readonly call: ToolPart }): VNode {
  const texts = useTexts();
  const { name, approval, editedInput, input, inputText, output, status, summary, isError } = call;
  const asked = editedInput ?? input;
  return (
    <details class={isError === true ? 'call failed' : 'call'}>
      <summary>
        <code>{name || '…'}</code> <bdi>{summary ?? textFor(texts.statuses, status)}</bdi>
      </summary>
      <pre>{asked === undefined ? shorten(texts, inputText) : toJsonText(texts, asked)}</pre>
      {approval?.verdict && (
        <p class="hint">
          <bdi>{decisionText(texts, approval)}</bdi>
          {approval.reason !== undefined && <bdi>: {approval.reason}</bdi>}
        </p>
      )}
      {output !== undefined && <pre>{shorten(texts, outputText(output))}</pre>}
    </details>
  );
}

function decisionText({ statuses, deciders, decided }: ViewerTexts, approval: Approval): string {
  const { verdict = '', decidedBy = '', userName } = approval;
  return decided(textFor(statuses, verdict), userName ?? textFor(deciders, decidedBy));
}
