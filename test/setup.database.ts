import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';

// The files of a worker share the modules, and each has a database of its own.
globalThis.indexedDB = new IDBFactory();
