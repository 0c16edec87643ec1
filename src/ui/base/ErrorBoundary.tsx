import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Shown in place of the children after a rendering error. */
  readonly renderFallback: () => ReactNode;
  /** What the children show. The children are rendered again when this value changes. */
  readonly shows: unknown;
}

interface ErrorBoundaryState {
  readonly hasFailed: boolean;
  readonly shown: unknown;
}

/** Contains a rendering error of its children. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasFailed: false, shown: this.props.shows };

  static getDerivedStateFromError(): Pick<ErrorBoundaryState, 'hasFailed'> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps(
    { shows }: ErrorBoundaryProps,
    { shown }: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return Object.is(shows, shown) ? null : { hasFailed: false, shown: shows };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.renderFallback() : this.props.children;
  }
}
