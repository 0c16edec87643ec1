import * as aui from '@assistant-ui/react';
import type { AgentSession } from 'brooklet';
import { toUIMessages, type UIMessage, type UIPart } from 'brooklet/bridges';
import { useObservable } from 'brooklet/react';
import { useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { openFromAddress } from '../shared/chat';
import { agent } from './agent';

const { ActionBarPrimitive, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } = aui;

function toContent(part: UIPart): Exclude<aui.ThreadMessageLike['content'], string> {
  if (part.type === 'text' || part.type === 'reasoning') return [{ type: part.type, text: part.text }];
  if (part.type === 'file') return [{ type: 'file', data: part.url, mimeType: part.mediaType }];
  if (!('toolCallId' in part)) return [];
  const { toolCallId, type, state, input } = part;
  const result = state === 'output-available' ? part.output : state === 'output-error' ? part.errorText : undefined;
  const approval = 'approval' in part ? part.approval : undefined;
  const call = { toolCallId, toolName: type.slice('tool-'.length), argsText: JSON.stringify(input ?? {}) };
  return [{ type: 'tool-call', ...call, ...(result !== undefined && { result }), ...(approval && { approval }) }];
}

const convertMessage = ({ id, role, parts }: UIMessage) => ({ id, role, content: parts.flatMap(toContent) });
const textOf = ({ content }: aui.AppendMessage): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Shows a session with the components of assistant-ui. */
function useSessionRuntime(session: AgentSession) {
  const messages = useObservable(session.messages$, session.getMessages);
  const status = useObservable(session.status$, session.getStatus);
  return aui.useExternalStoreRuntime<UIMessage>({
    messages: useMemo(() => toUIMessages(messages), [messages]),
    convertMessage,
    isRunning: status === 'running',
    onNew: async (message) => void session.send(textOf(message), { whenBusy: 'queue' }),
    onEdit: async (message) => void session.edit(message.sourceId ?? '', textOf(message)),
    onReload: async (parentId) => void session.regenerate(parentId ?? undefined),
    onCancel: async () => session.cancel(),
    onRespondToToolApproval: (given) =>
      given.approved ? session.approve(given.approvalId) : session.reject(given.approvalId),
  });
}

const Tool = ({ toolName, argsText, result, approval, respondToApproval }: aui.ToolCallMessagePartProps) => (
  <fieldset>
    <legend>{`${toolName} ${argsText}`}</legend>
    {result !== undefined && <output>{JSON.stringify(result)}</output>}
    {approval?.approved === false && 'Rejected.'}
    {approval && approval.approved === undefined && (
      <>
        <button onClick={() => respondToApproval({ approved: true })}>Approve</button>
        <button onClick={() => respondToApproval({ approved: false })}>Reject</button>
      </>
    )}
  </fieldset>
);
const Reasoning = ({ text }: { text: string }) => <p className="reasoning">{text}</p>;
const partComponents = { Reasoning, tools: { Fallback: Tool } };
const messageOf = (role: string, button: React.ReactNode) => () => (
  <MessagePrimitive.Root className={`message ${role}`}>
    <MessagePrimitive.Parts components={partComponents} />
    <ActionBarPrimitive.Root>{button}</ActionBarPrimitive.Root>
  </MessagePrimitive.Root>
);
const components = {
  UserMessage: messageOf('user', <ActionBarPrimitive.Edit>Edit</ActionBarPrimitive.Edit>),
  AssistantMessage: messageOf('assistant', <ActionBarPrimitive.Reload>Regenerate</ActionBarPrimitive.Reload>),
  EditComposer: () => (
    <ComposerPrimitive.Root>
      <ComposerPrimitive.Input aria-label="Edit" />
      <ComposerPrimitive.Send>Save</ComposerPrimitive.Send>
    </ComposerPrimitive.Root>
  ),
};

const Thread = ({ session }: { session: AgentSession }) => (
  <aui.AssistantRuntimeProvider runtime={useSessionRuntime(session)}>
    <ThreadPrimitive.Messages components={components} />
    <ComposerPrimitive.Root>
      <ComposerPrimitive.Input aria-label="Message" placeholder="Message" />
      <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
      <ThreadPrimitive.If running>
        <ComposerPrimitive.Cancel>Cancel</ComposerPrimitive.Cancel>
      </ThreadPrimitive.If>
    </ComposerPrimitive.Root>
  </aui.AssistantRuntimeProvider>
);

const session = await openFromAddress(agent);
const root = document.querySelector('#root');
if (root) createRoot(root).render(<Thread session={session} />);
