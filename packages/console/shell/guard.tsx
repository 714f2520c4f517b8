import { Component } from 'preact';
import type { ComponentChildren } from 'preact';
import { Problem, toFailure } from '../parts/problem.tsx';
import type { Failure } from '../parts/problem.tsx';

/** A fault in a page stays in the page: the menu goes on. */
export class Guard extends Component<{ children: ComponentChildren }, { problem: Failure | null }> {
  override state = { problem: null };

  static override getDerivedStateFromError(error: unknown): { problem: Failure } {
    return { problem: toFailure(error) };
  }

  override render({ children }: { children: ComponentChildren }, { problem }: { problem: Failure | null }) {
    return problem ? <Problem problem={problem} retry={() => this.setState({ problem: null })} /> : children;
  }
}
