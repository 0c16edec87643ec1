import { render } from '@testing-library/react';
import type { Agent } from 'brooklet';
import { createRef, StrictMode } from 'react';
import { Conversation } from '../../demo/src/conversation/Conversation.tsx';
import { Parts } from '../../demo/src/conversation/Parts.tsx';
import { aroundLists } from '../react/stage.tsx';
import '../../demo/src/styles/studio.css';

/** Shows a session as Studio does, at a fixed height. */
export function showConversation(agent: Agent, sessionId: string): void {
  const Around = aroundLists(agent);
  render(
    <StrictMode>
      <Around>
        <Parts>
          <div style={{ height: 600 }}>
            <Conversation
              sessionId={sessionId}
              connection={{ kind: 'offline' }}
              composer={createRef<HTMLTextAreaElement>()}
              onSettings={() => {}}
              menu={null}
            />
          </div>
        </Parts>
      </Around>
    </StrictMode>,
  );
}
