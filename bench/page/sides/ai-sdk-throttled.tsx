import { createChat } from '../ai-sdk.tsx';
import { show } from '../page.tsx';

// The number of its documentation.
show(createChat(50));
