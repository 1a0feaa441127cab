import type { TrafficWindow } from '@spica/schema/core'

function weighted(a: number, aCount: number, b: number, bCount: number): number {
  const count = aCount + bCount
  return count === 0 ? 0 : (a * aCount + b * bCount) / count
}

/** Two consecutive windows as one: durations and counts add, each mean is weighted by its own count. */
export function mergeTraffic(a: TrafficWindow, b: TrafficWindow): TrafficWindow {
  const forwards = a.accept_length_forward_count + b.accept_length_forward_count
  return {
    duration_s: a.duration_s + b.duration_s,
    num_req: a.num_req + b.num_req,
    avg_isl: weighted(a.avg_isl, a.shape_count, b.avg_isl, b.shape_count),
    avg_osl: weighted(a.avg_osl, a.shape_count, b.avg_osl, b.shape_count),
    avg_ttft_ms: weighted(a.avg_ttft_ms, a.ttft_count, b.avg_ttft_ms, b.ttft_count),
    avg_itl_ms: weighted(a.avg_itl_ms, a.itl_count, b.avg_itl_ms, b.itl_count),
    shape_count: a.shape_count + b.shape_count,
    ttft_count: a.ttft_count + b.ttft_count,
    itl_count: a.itl_count + b.itl_count,
    avg_accept_length:
      forwards === 0
        ? null
        : weighted(
            a.avg_accept_length ?? 0,
            a.avg_accept_length === null ? 0 : a.accept_length_forward_count,
            b.avg_accept_length ?? 0,
            b.avg_accept_length === null ? 0 : b.accept_length_forward_count,
          ),
    accept_length_forward_count: forwards,
    avg_kv_hit_rate: weighted(a.avg_kv_hit_rate, a.hit_rate_count, b.avg_kv_hit_rate, b.hit_rate_count),
    hit_rate_count: a.hit_rate_count + b.hit_rate_count,
  }
}

/** Keeps traffic until a consumer is due. */
export class TrafficAccumulator {
  private pending: TrafficWindow | null = null

  add(window: TrafficWindow): void {
    this.pending = this.pending === null ? window : mergeTraffic(this.pending, window)
  }

  /** Everything since the last call, or null when nothing came. */
  drain(): TrafficWindow | null {
    const window = this.pending
    this.pending = null
    return window
  }
}
