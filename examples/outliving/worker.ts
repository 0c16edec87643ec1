import { hostAgent } from 'brooklet/worker';
import { create } from './agent';

hostAgent(create);
