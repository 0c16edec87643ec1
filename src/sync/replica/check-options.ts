import { defined } from '../../core/json.ts';
import { named } from '../../core/model/shapes/named.ts';
import { fail } from '../../core/error.ts';
import { type Fields, word } from '../../core/model/shapes/fields.ts';
import {
  anything,
  callable,
  filled,
  having,
  maybe,
  oneOf,
  range,
  type Shape,
  withMethods,
} from '../../core/model/shapes/shape.ts';
import type { StoreMeta } from '../../core/model/store.ts';
import type { ConnectOptions } from './options.ts';
import type { Remote, SyncHost } from './remote.ts';
import type { SyncedStoreOptions } from './synced-store.ts';

/** The fields that a side needs. A store may have them from its class, so that no copy of it has them. */
export const storeShape: Shape = (value, field) => {
  const missing = ['list', 'read', 'write', 'remove', 'close', 'wasRemoved'].find(
    (name) => typeof Reflect.get(Object(value), name) !== 'function',
  );
  if (missing !== undefined) return { field: `${field}.${missing}`, reason: 'is not a function' };
  return stream(Reflect.get(Object(value), 'changes$'), `${field}.changes$`);
};
const stream: Shape = withMethods('subscribe');
const remoteShape: Shape = (value, field) =>
  typeof Reflect.get(Object(value), 'replicate') === 'function'
    ? undefined
    : { field, reason: 'is not of `createRemote`: pass `createRemote(store)`' };
const guard: Shape = having({ sign: callable, vet: callable });
const claims: Shape = (value, field) =>
  typeof value === 'function' ? undefined : oneOf('remote', 'local')(value, field);

const connectFields: Fields<ConnectOptions> = {
  device: maybe(filled(100)),
  devices: maybe(guard),
  name: maybe(word),
  claims: maybe(claims),
  claimTimeout: maybe(range(1)),
  requestTimeout: maybe(range(1)),
  textInterval: maybe(range(0)),
  toForkTitle: maybe(callable),
  onFork: maybe(callable),
  onTrouble: maybe(callable),
  online$: maybe(stream),
};
const fields: Fields<SyncedStoreOptions> = {
  ...connectFields,
  local: storeShape,
  remote: maybe(remoteShape),
  ports: anything,
};
const connectShape: Shape = having(connectFields);
const shape: Shape = having(fields);

/**
 * Returns the `meta` of the local store.
 *
 * @throws AgentError `INVALID_CONFIG` with the name of the option and what it must be
 */
export function checkReplicaOptions(options: SyncedStoreOptions): StoreMeta {
  named(options, fields, 'createSyncedStore');
  const flaw = shape(options, '');
  if (flaw) fail('INVALID_CONFIG', `The option \`${flaw.field}\` of the replica ${flaw.reason}.`);
  return options.local.meta ?? fail('INVALID_CONFIG', 'The option `local.meta` of the replica is missing.');
}

/**
 * Returns the options of a connection.
 *
 * @param defaults options of the synced store, checked
 * @throws AgentError `INVALID_CONFIG` with the name of the option and what it must be
 */
export function checkConnectOptions(
  remote: Remote,
  options: ConnectOptions = {},
  defaults: ConnectOptions = {},
): SyncHost['options'] {
  named(options, connectFields, 'connect');
  const flaw = remoteShape(remote, 'remote') ?? connectShape(options, '');
  if (flaw) fail('INVALID_CONFIG', `The option \`${flaw.field}\` of connect ${flaw.reason}.`);
  const all = { ...defaults, ...defined({ ...options }) };
  const {
    device = fail('INVALID_CONFIG', 'The option `device` of the replica is missing: a remote store is connected.'),
  } = all;
  return { ...all, device };
}
