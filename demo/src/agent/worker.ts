import { host } from './host.ts';

host();
