import { type DragEvent, type ReactElement, type ReactNode, type RefObject, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';

interface DropZoneProps {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly className: string;
  readonly onFiles: (files: readonly File[]) => Promise<void>;
  readonly children: ReactNode;
}

/** Attaches the files that are dropped on it. */
export function DropZone({ ref, className, onFiles, children }: DropZoneProps): ReactElement {
  const { composer: words } = useTexts();
  const [isOver, setIsOver] = useState(false);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  return (
    <div
      ref={ref}
      className={className}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
          setIsOver(false);
      }}
      onDrop={(event) => {
        setIsOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        void onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <div className="drop-hint" aria-hidden="true">
          <p>{words.drop}</p>
        </div>
      )}
    </div>
  );
}
