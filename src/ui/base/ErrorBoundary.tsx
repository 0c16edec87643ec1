import { Component, type ReactNode } from 'react';
import { messageOf } from './messageOf.ts';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Shown in place of the children after a rendering error. */
  readonly renderFallback: (message: string, retry: () => void) => ReactNode;
  /** What the children show. The children are rendered again when this value changes. */
  readonly shows?: unknown;
}

interface ErrorBoundaryState {
  readonly message: string | undefined;
  readonly shown: unknown;
}

/**
 * Contains a rendering error of its children: `renderFallback` gets its message, and a function that renders the children again.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { message: undefined, shown: this.props.shows };

  static getDerivedStateFromError(thrown: unknown): Pick<ErrorBoundaryState, 'message'> {
    return { message: messageOf(thrown) };
  }

  static getDerivedStateFromProps(
    { shows }: ErrorBoundaryProps,
    { shown }: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return Object.is(shows, shown) ? null : { message: undefined, shown: shows };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    return this.props.renderFallback(message, () => this.setState({ message: undefined }));
  }
}
