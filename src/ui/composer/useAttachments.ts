import { useEffect, useRef, useState } from 'react';
import type { MediaPart } from '../../core/model/index.ts';
import type { Labels } from '../labels/english.ts';
import { firstPartOf } from './firstPartOf.ts';
import { type FileRules, readFile } from './readFile.ts';

/** A file that will be sent with the message. */
export interface Attachment {
  readonly key: string;
  readonly name: string;
  readonly part: MediaPart;
  /** A `blob:` address of a picture. */
  readonly preview?: string;
  /** The text of which it was made. */
  readonly pasted?: string;
  /** Whether it is the first part of a file. */
  readonly isCut?: boolean;
}

/** The files of the message that the person writes. */
export interface Attachments {
  readonly files: readonly Attachment[];
  /** Why files were not attached, one sentence each. */
  readonly problems: readonly string[];
  readonly add: (files: readonly File[]) => Promise<void>;
  /** Attaches a text as a file. Returns whether it is: a text that is too long, or one file too many, is not. */
  readonly addPasted: (text: string) => boolean;
  readonly remove: (files: readonly Attachment[]) => void;
  /** Leaves the first part of a text file, of about so many tokens. */
  readonly cut: (file: Attachment, tokens: number, maxTokens: number) => void;
}

/** Returns the files of the message that the person writes. */
export function useAttachments(rules: FileRules, labels: Labels['composer']): Attachments {
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const shown = useRef(files);
  const count = useRef(0);
  useEffect(() => void (shown.current = files), [files]);
  useEffect(() => () => shown.current.forEach(release), []);

  const add = async (added: readonly File[], pasted?: string): Promise<void> => {
    const room = Math.max(0, rules.maxFiles - files.length);
    const taken = added.slice(0, room);
    const results = await Promise.all(taken.map((file) => readFile(file, rules, labels)));
    const read = results.flatMap((result, index): readonly Attachment[] => {
      const file = taken[index];
      if (typeof result === 'string' || file === undefined) return [];
      count.current += 1;
      const preview = result.type === 'image' ? { preview: URL.createObjectURL(file) } : {};
      const key = `${count.current} ${file.name}`;
      return [{ key, name: file.name, part: result, ...preview, ...(pasted !== undefined && { pasted }) }];
    });
    setFiles((before) => [...before, ...read].slice(0, rules.maxFiles));
    setProblems([
      ...results.filter((result) => typeof result === 'string'),
      ...(added.length > room ? [labels.tooMany(rules.maxFiles)] : []),
    ]);
  };

  return {
    files,
    problems,
    add: (added) => add(added),
    addPasted: (text) => {
      const name = labels.pasted(files.filter(({ pasted }) => pasted !== undefined).length + 1);
      const file = new File([text], name, { type: 'text/plain' });
      if (file.size > rules.maxBytes || files.length >= rules.maxFiles) return false;
      void add([file], text);
      return true;
    },
    remove: (removed) => {
      removed.forEach(release);
      setFiles((before) => before.filter((file) => !removed.includes(file)));
      setProblems([]);
    },
    cut: (file, tokens, maxTokens) => {
      const part = firstPartOf(file.part, maxTokens / tokens, labels.restLeftOut);
      setFiles((before) => before.map((one) => (one === file ? { ...file, part, isCut: true } : one)));
    },
  };
}

function release({ preview }: Attachment): void {
  if (preview !== undefined) URL.revokeObjectURL(preview);
}
