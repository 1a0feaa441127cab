/** Chooses a target for each request and follows the load that its choices cause. Targets are opaque handles of the runtime. */
export interface Router<Target> {
  /** The routable targets, sorted by (worker, rank); call again after every change. */
  setTargets(targets: readonly Target[]): void
  /**
   * A request arrives at `nowMs`. It is either sent at once or queued; whenever requests are to be sent (now or later), the
   * router calls the `send` it was built with.
   */
  arrive(request: number, nowMs: number): void
  /** The request's first token that is not its last came out. */
  firstToken(request: number, nowMs: number): void
  /** The request ended, one way or another, on this pool. */
  ended(request: number, nowMs: number): void
  /** Sends queued requests that now may go; call after the set of targets changed. */
  drain(nowMs: number): void
  /** Requests held back in the router's queue. */
  readonly queuedCount: number
}

/** Delivers a routed request; `overlapTokens` of its prompt were believed to be on the target. */
export type Send<Target> = (request: number, target: Target, overlapTokens: number, nowMs: number) => void
