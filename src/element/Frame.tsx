import { type Context, createContext, type ReactElement, useContext, useLayoutEffect } from 'react';
import type { Agent, AgentError } from '../index.ts';
import { Chat, Composer, type ComposerProps, type LabelOverrides } from '../ui/index.ts';
import type { FrameEnv } from './frame-env.ts';
import { Launcher } from './Launcher.tsx';
import type { Settings } from './settings.ts';
import type { Words } from './words.ts';

/** Either a problem, or a chat. */
export type FrameProps = FrameEnv &
  (
    | { readonly problem: AgentError; readonly launcher: Settings['launcher']; readonly theme: Settings['theme'] }
    | {
        readonly problem?: undefined;
        readonly agent: Agent;
        readonly sessionId: string | undefined;
        readonly labels: LabelOverrides;
        readonly welcome: string;
        readonly launcher: Settings['launcher'];
        readonly theme: Settings['theme'];
        /** Another chat, also with the same session, where it changes. */
        readonly chatKey: number;
      }
  );

/** What is in the shadow tree: the chat, or why there is none, behind a launcher or where the element is. */
export function Frame(props: FrameProps): ReactElement {
  const { launcher, theme, direction, isOpen, words } = props;
  const isFloating = launcher !== undefined;
  const isHidden = isFloating && !isOpen;
  const frame = (
    <div
      className="bk-frame"
      part="frame"
      data-theme={theme === 'auto' ? undefined : theme}
      dir={direction}
      hidden={isHidden}
      // Escape elsewhere in the page must not stop the run of a chat that is closed.
      inert={isHidden}
      role={isFloating ? 'dialog' : undefined}
      aria-label={isFloating ? 'Chat' : undefined}
    >
      <slot name="header" />
      {props.problem ? <Problem problem={props.problem} words={words} /> : <Content {...props} />}
    </div>
  );
  return isFloating ? (
    <Launcher {...props} side={launcher}>
      {frame}
    </Launcher>
  ) : (
    frame
  );
}

function Problem({ problem, words }: { readonly problem: AgentError; readonly words: Words }): ReactElement {
  return (
    <p className="bk-element-error" part="problem" role="alert">
      {words.cannotShow} {problem.message} <code>{problem.code}</code>
    </p>
  );
}

function Content(props: Extract<FrameProps, { readonly problem?: undefined }>): ReactElement {
  const { agent, sessionId, labels, welcome, chatKey, draft, setDraft, listeners, hasSlot } = props;
  return (
    <EnvContext.Provider value={props}>
      <Chat
        key={chatKey}
        agent={agent}
        sessionId={sessionId}
        create
        labels={labels}
        empty={
          <slot name="empty">
            <p className="bk-welcome">{welcome}</p>
          </slot>
        }
        components={components}
        composer={{
          value: draft,
          onValue: setDraft,
          slots: {
            start: <slot name="composer-start" />,
            end: <slot name="composer-end" />,
            note: <slot name="note" data-state={hasSlot('note') ? undefined : 'empty'} />,
          },
        }}
        {...listeners}
      />
    </EnvContext.Provider>
  );
}

const EnvContext: Context<FrameEnv | undefined> = createContext<FrameEnv | undefined>(undefined);

/** The message field, whose messages the element announces and whose actions it has. */
function Field(props: ComposerProps): ReactElement {
  const env = useContext(EnvContext);
  const chat = env?.toSend(props.chat) ?? props.chat;
  const onChat = env?.onChat;
  useLayoutEffect(() => onChat?.(chat));
  useLayoutEffect(() => () => onChat?.(undefined), [onChat]);
  return <Composer {...props} chat={chat} />;
}

const components = { Composer: Field };
