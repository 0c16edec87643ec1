import { named } from '../../core/model/shapes/named.ts';
import { fail } from '../../core/error.ts';
import { type Fields, word } from '../../core/model/shapes/fields.ts';
import { anything, callable, filled, having, maybe, oneOf, range, type Shape } from '../../core/model/shapes/shape.ts';
import type { SessionStore, StoreMeta } from '../../core/model/store.ts';
import type { ConnectOptions, SyncedStoreOptions } from './options.ts';

/** The methods that a side needs. A store may have them from its class, so that no copy of it has them. */
const store: Shape = (value, field) => {
  const missing = ['list', 'read', 'write', 'remove', 'wasRemoved'].find(
    (name) => typeof Reflect.get(Object(value), name) !== 'function',
  );
  return missing === undefined ? undefined : { field: `${field}.${missing}`, reason: 'is not a function' };
};
const guard: Shape = having({ sign: callable, vet: callable });
const claims: Shape = (value, field) =>
  typeof value === 'function' ? undefined : oneOf('remote', 'local')(value, field);

const fields: Fields<SyncedStoreOptions> = {
  local: store,
  remote: maybe(store),
  device: filled(100),
  devices: maybe(guard),
  name: maybe(word),
  claims: maybe(claims),
  claimTimeout: maybe(range(1)),
  requestTimeout: maybe(range(1)),
  textInterval: maybe(range(0)),
  toForkTitle: maybe(callable),
  onFork: maybe(callable),
  onTrouble: maybe(callable),
  online$: anything,
  ports: anything,
};
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

const connectFields: Fields<ConnectOptions> = { name: maybe(word), devices: maybe(guard) };
const connectShape: Shape = having(connectFields);

/** @throws AgentError `INVALID_CONFIG` with the name of the option and what it must be */
export function checkConnectOptions(remote: SessionStore, options: ConnectOptions = {}): void {
  named(options, connectFields, 'connect');
  const flaw = store(remote, 'remote') ?? connectShape(options, '');
  if (flaw) fail('INVALID_CONFIG', `The option \`${flaw.field}\` of connect ${flaw.reason}.`);
}
