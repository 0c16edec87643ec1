import type { Agent, AgentError, ChatInput, defineTool, RunResult, Tool, ToolPart } from '../index.ts';
import type { Provider } from '../llm/providers/index.ts';
import type { LabelOverrides } from '../ui/labels/english.ts';

/** Colours of the element: `auto` follows the system. */
export type ChatTheme = 'light' | 'dark' | 'auto';

/** What may stand in `tools`: a tool of `defineTool`, or its options, for a page with one script tag. */
export type ChatTool = Tool | Parameters<typeof defineTool>[0];

/** The properties of `<brooklet-chat>`, all optional but `agent`, or `provider` and `model`. A change of each is followed; the draft stays. */
export interface BrookletChatProps {
  /** The agent of the page, which the page also closes. In the place of `provider` and all that belongs to it. */
  agent?: Agent | undefined;
  /** A model service: its name as an export of `brooklet/providers` (`openai`, `anthropic`, `ollama`, …), or a provider as data. */
  provider?: string | Provider | undefined;
  /** The name of the model, as the service knows it. */
  model?: string | undefined;
  /** Another address of the service, a proxy for example. Alone, without `provider`: a service that speaks chat completions. */
  baseURL?: string | undefined;
  /** The key, or a function that is called before each request with the origin that the key is for. Never an attribute. */
  apiKey?: string | ((origin: string) => string | Promise<string>) | undefined;
  /** The system prompt of the agent that the element creates. */
  instructions?: string | undefined;
  /** Tools of the agent that the element creates. */
  tools?: readonly ChatTool[] | undefined;
  /** The session to show, which is created where the store never had it. Without one, the first message creates a session. */
  sessionId?: string | undefined;
  /** Default `auto`. */
  theme?: ChatTheme | undefined;
  /** Texts in the place of those of the language. */
  labels?: LabelOverrides | undefined;
  /** Shown in the empty field. */
  placeholder?: string | undefined;
  /** Shown while there is no message; the slot `empty` takes its place. */
  welcome?: string | undefined;
  /** A button at a corner of the page that opens the chat: `end` (default of an empty attribute) or `start`. Without it the chat is where the element is. */
  launcher?: 'start' | 'end' | '' | boolean | undefined;
}

/** The message of a `send` event. */
export interface ChatSending {
  readonly text: string;
  /** The message as it goes to the agent, with its files. */
  readonly input: string | ChatInput;
}

/** The events of `<brooklet-chat>`. All bubble, and leave the shadow trees around them. */
export interface BrookletChatEvents {
  /** A person, or `send()`, is about to send a message. `preventDefault()` keeps it in the field. */
  send: CustomEvent<ChatSending>;
  /** A run has ended, whatever its outcome. */
  finish: CustomEvent<RunResult>;
  /** A wrong property, a refused action or a failed run. */
  error: CustomEvent<AgentError>;
  /** A call waits for the decision of a person, or for an answer. */
  approval: CustomEvent<ToolPart>;
  /** The first message has created a session: its id, for the address bar for example. */
  sessioncreated: CustomEvent<{ readonly sessionId: string }>;
}
