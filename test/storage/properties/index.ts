// The code that an agent and its store load, loaded in this copy of the package.
import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { spoilIndexedDB } from '../../support/faulty-indexeddb.ts';
import { replacedLogsAreReadWhole } from './lineage.ts';
import { lostAnswersAreFound } from './lost-answers.ts';
import { sessionsLoseNothing } from './session.ts';
import { storeIsAnArray } from './store.ts';
import { tabsAgree } from './tabs.ts';

/** The IndexedDB store on a database of its own, in a browser whose transactions can fail. */
function setUp() {
  const name = `model-${crypto.randomUUID()}`;
  const { arm, restore } = spoilIndexedDB();
  const reopen = (): ReturnType<typeof createIndexedDBStore> => createIndexedDBStore({ name });
  async function tearDown(): Promise<void> {
    restore();
    await deleteDB(name);
  }
  return { store: reopen(), reopen, arm, tearDown };
}

/** The properties of everything between a person and the disk. */
export const properties = {
  'a store equals a plain array': storeIsAnArray(setUp),
  'a session over a failing store loses nothing': sessionsLoseNothing,
  'tabs on one session end with the same state': tabsAgree,
  'a log whose past was replaced is read as a whole': replacedLogsAreReadWhole,
  'a write whose answer was lost is stored once': lostAnswersAreFound,
};
