import { createChat } from '../ai-sdk.tsx';
import { show } from '../page.tsx';

// The value in the documentation of the AI SDK.
show(createChat(50));
