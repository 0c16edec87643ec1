import { hostAgent } from 'brooklet/worker';
import { createFor } from './agent.ts';

// The name of the worker begins with that of the page: the address of its service.
const [baseURL = ''] = self.name.split(' ');
hostAgent(createFor(baseURL));

// Ends the worker as a crash does: nothing is stored any more.
new BroadcastChannel('crash').addEventListener('message', () => self.close());
