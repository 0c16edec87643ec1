/** @jsxImportSource preact */
import type { VNode } from 'preact';
import type { MediaPart, Part, ToolPart } from '../core/model/message.ts';
import { outputText } from '../review/output-text.ts';
import { formatCount, shorten, toJsonText } from './format.ts';

/** One part of a message, as text: no link leads anywhere, and no picture is loaded. */
export function SeenPart({ part }: { readonly part: Part }): VNode | null {
  switch (part.type) {
    case 'text':
      return <bdi class="text">{shorten(part.text)}</bdi>;
    case 'reasoning':
      return (
        <details>
          <summary>Thoughts</summary>
          <bdi class="text">{shorten(part.text)}</bdi>
        </details>
      );
    case 'tool':
      return <SeenCall call={part} />;
    case 'image':
    case 'audio':
    case 'file':
      return <p class="hint">{mediaText(part)}</p>;
    case 'source':
      return (
        <p class="hint">
          Source: <bdi>{part.title === undefined ? part.url : `${part.title} (${part.url})`}</bdi>
        </p>
      );
    default:
      return null;
  }
}

function mediaText({ type, mediaType, name, data, url }: MediaPart): string {
  const place = url === undefined || url.startsWith('data:') ? [] : [url];
  const size = data === undefined ? [] : [`${formatCount(Math.ceil((data.length * 3) / 4))} bytes`];
  return [name ?? type, mediaType, ...size, ...place].join(' · ');
}

function SeenCall({ call }: { readonly call: ToolPart }): VNode {
  const { name, approval, editedInput, input, inputText, output, status, summary, isError } = call;
  const asked = editedInput ?? input;
  return (
    <details class={isError === true ? 'call failed' : 'call'}>
      <summary>
        <code>{name || '…'}</code> <bdi>{summary ?? status}</bdi>
      </summary>
      <pre>{asked === undefined ? shorten(inputText) : toJsonText(asked)}</pre>
      {approval?.verdict && (
        <p class="hint">
          {approval.verdict} by <bdi>{approval.userName ?? approval.decidedBy}</bdi>
          {approval.reason !== undefined && <bdi>: {approval.reason}</bdi>}
        </p>
      )}
      {output !== undefined && <pre>{shorten(outputText(output))}</pre>}
    </details>
  );
}
