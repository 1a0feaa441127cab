import type { RateProfile } from './synth-options.js'

/** ∫ of the profile's relative rate from 0 to t, both in seconds, for a trace of the given length. */
export function cumulativeRate(profile: RateProfile, lengthSeconds: number): (seconds: number) => number {
  switch (profile.kind) {
    case 'constant':
      return (t) => t
    case 'sine': {
      const omega = (2 * Math.PI) / profile.periodSeconds
      return (t) => t + (profile.amplitude / omega) * (1 - Math.cos(omega * t))
    }
    case 'ramp': {
      const slope = (profile.to - profile.from) / lengthSeconds
      return (t) => profile.from * t + (slope / 2) * t * t
    }
    case 'burst': {
      const { everySeconds, lengthSeconds: burst, factor } = profile
      const whole = everySeconds - burst + factor * burst
      return (t) => {
        const cycles = Math.floor(t / everySeconds)
        const rest = t - cycles * everySeconds
        const quiet = Math.min(rest, everySeconds - burst)
        return cycles * whole + quiet + factor * (rest - quiet)
      }
    }
  }
}

/** Maps unit-rate event times in [0, 1] (share of all arrivals) to seconds under the profile. */
export function arrivalTime(cumulative: (seconds: number) => number, lengthSeconds: number): (share: number) => number {
  const total = cumulative(lengthSeconds)
  return (share) => {
    const target = share * total
    let low = 0
    let high = lengthSeconds
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2
      if (cumulative(middle) < target) low = middle
      else high = middle
    }
    return high
  }
}
