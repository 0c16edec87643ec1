import { hostAgent } from 'brooklet/worker';
import { createFor } from './agent.ts';

// The name of the worker begins with that of the page: the address of its service, and whether its sessions are encrypted.
const [baseURL = '', how] = self.name.split(' ');
hostAgent(createFor(baseURL, how === 'sealed'));

// Ends the worker as a crash does: nothing is stored any more.
new BroadcastChannel('crash').addEventListener('message', () => self.close());
