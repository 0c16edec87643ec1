import type { MediaPart } from 'brooklet';
import { useEffect, useRef, useState } from 'react';
import type { Texts } from '../texts/en/en.ts';
import { useTexts } from '../texts/useTexts.ts';

/** A file that will be sent with the message. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly part: MediaPart;
  /** A `blob:` address of a picture. */
  readonly preview?: string;
}

/** Files that one message takes. */
const maxFiles = 8;

export interface Attachments {
  readonly files: readonly Attachment[];
  /** Why files were not attached, one sentence each. */
  readonly problems: readonly string[];
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly remove: (id: string) => void;
  /** Removes all files, and returns them. `settle` ends what this has begun. */
  readonly take: () => readonly Attachment[];
  /** Forgets files that were taken, or puts them back if they were not sent. */
  readonly settle: (taken: readonly Attachment[], isSent: boolean) => void;
}

/** Returns the files of the message that the user writes. The code that reads them is loaded with the first file. */
export function useAttachments(): Attachments {
  const words = useTexts();
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const shown = useRef(files);
  useEffect(() => void (shown.current = files), [files]);
  useEffect(() => () => shown.current.forEach(release), []);

  return {
    files,
    problems,
    add: async (added) => {
      const room = maxFiles - files.length;
      const found = await readAll(added.slice(0, room), words.composer);
      setFiles((before) => [...before, ...found.files].slice(0, maxFiles));
      setProblems([...found.problems, ...(added.length > room ? [words.composer.tooMany(maxFiles)] : [])]);
    },
    remove: (id) => {
      files.filter((file) => file.id === id).forEach(release);
      setFiles(files.filter((file) => file.id !== id));
      setProblems([]);
    },
    take: () => {
      setFiles([]);
      setProblems([]);
      return files;
    },
    settle: (taken, isSent) => {
      if (isSent) taken.forEach(release);
      else setFiles((since) => [...taken, ...since]);
    },
  };
}

async function readAll(
  files: readonly File[],
  words: Texts['composer'],
): Promise<Pick<Attachments, 'files' | 'problems'>> {
  try {
    const { readAttachment } = await import('./readAttachment.ts');
    const results = await Promise.all(files.map((file) => readAttachment(file, words)));
    return {
      files: results.flatMap((result) => (typeof result === 'string' ? [] : result)),
      problems: results.filter((result) => typeof result === 'string'),
    };
  } catch {
    return { files: [], problems: files.map(({ name }) => words.unreadable(name)) };
  }
}

function release({ preview }: Attachment): void {
  if (preview !== undefined) URL.revokeObjectURL(preview);
}
