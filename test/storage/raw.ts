import type { SessionEvent, SessionSummary } from 'brooklet';
import { eventVersion, type SessionWrite } from 'brooklet/core';
import { type IDBPDatabase, wrap } from 'idb';
import { createDisk } from '../../src/storage/disk.ts';
import type { Schema, SessionDisk } from '../../src/storage/indexeddb/schema.ts';
import { createPageLife } from '../../src/storage/page-life.ts';

export function textAt(seq: number, text = `text ${seq}`): SessionEvent {
  return { type: 'text.delta', text, seq, at: seq, v: eventVersion };
}

/** A write of text events that expects `expectedSeq`. */
export function writeOf(sessionId: string, expectedSeq: number, ...seqs: readonly number[]): SessionWrite {
  const seq = seqs.at(-1) ?? expectedSeq;
  const summary: SessionSummary = {
    id: sessionId,
    title: sessionId,
    createdAt: 1,
    updatedAt: 1 + seq,
    status: 'idle',
    messageCount: 0,
    usage: { input: 0, output: 0 },
    seq,
  };
  return { sessionId, expectedSeq, events: seqs.map((at) => textAt(at)), summary, durability: 'relaxed' };
}

/** Opens a database without a store, as another tab or the developer tools do. */
export function openRaw(name: string, version?: number): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('open failed')));
  });
}

/** Changes rows behind the store's back. */
export async function tamper(name: string, change: (transaction: IDBTransaction) => void): Promise<void> {
  const db = await openRaw(name);
  const transaction = db.transaction([...db.objectStoreNames], 'readwrite');
  change(transaction);
  await new Promise<void>((resolve) => transaction.addEventListener('complete', () => resolve()));
  db.close();
}

/** The tables of an open database, as idb gives them. */
export function wrapped(db: IDBDatabase): IDBPDatabase<Schema> {
  return wrap(db) as unknown as IDBPDatabase<Schema>;
}

/** The transactions of a store on an open database. */
export function diskOf(db: IDBDatabase): SessionDisk {
  return createDisk(wrapped(db), createPageLife());
}
