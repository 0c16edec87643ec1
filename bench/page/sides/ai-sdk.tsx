import { createChat } from '../ai-sdk.tsx';
import { show } from '../page.tsx';

show(createChat());
