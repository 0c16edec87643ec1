import { type DragEvent, useState } from 'react';

interface FileDropHandlers {
  /** Whether a file is held over the element. */
  readonly isOver: boolean;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** Makes an element take one file that is dropped on it. */
export function useFileDrop(onFile: (file: File) => void): FileDropHandlers {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    onDragOver(event) {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave(event) {
      const { currentTarget, relatedTarget } = event;
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false);
    },
    onDrop(event) {
      setIsOver(false);
      const file = event.dataTransfer.files.item(0);
      if (!file) return;
      event.preventDefault();
      onFile(file);
    },
  };
}
