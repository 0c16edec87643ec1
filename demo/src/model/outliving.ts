import type { Agent } from 'brooklet';
import type { ConnectedAgent } from 'brooklet/worker';
import { encryption } from '../base/encryption.ts';
import { engine } from '../base/engine.ts';
import { createStored } from '../base/stored.ts';
import { getConnection } from './connection.ts';

/** Whether answers go on when this page is closed: a shared worker drives them. */
export const outliving = createStored<boolean>('brooklet-studio:outliving', {
  read: (text) => text === 'on',
  write: (isOn) => (isOn ? 'on' : undefined),
});

/** Whether a worker drives the answers of an agent, or would where the browser has one. */
export const isConnected = (agent: Agent): agent is ConnectedAgent => 'host$' in agent;

/** Why this page drives its answers itself: the setting, or what a worker cannot have. */
export type DrivesHere = 'off' | 'browser' | 'devices' | 'encrypting';

/** Returns why this page drives its answers; `undefined` where a worker may. A page asks when it is loaded, and has one agent for its whole life. */
export function whyHere(): DrivesHere | undefined {
  if (!outliving.get()) return 'off';
  if (engine.get()) return 'devices';
  if (getConnection().kind === 'browser') return 'browser';
  return encryption === 'encrypting' || encryption === 'decrypting' ? 'encrypting' : undefined;
}
