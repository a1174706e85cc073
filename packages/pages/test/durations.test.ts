import t from 'tap'
import { formatLifetime, formatWait } from '../src/durations.ts'
import { en } from '../src/index.ts'

const waits: readonly [number, string][] = [
  [0, '1 second'],
  [0.2, '1 second'],
  [20, '20 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [840, '14 minutes'],
  [3541, '1 hour'],
  [5400, '90 minutes'],
  [7201, '3 hours'],
  [172_801, '3 days']
]

for (const [seconds, words] of waits) {
  t.test(`a wait of ${seconds} s is at most ${words}`, async (t) => {
    t.equal(formatWait(seconds, en), words)
  })
}

const lives: readonly [number, string][] = [
  [59, '59 seconds'],
  [119, '1 minute'],
  [600, '10 minutes'],
  [3600, '1 hour'],
  [7199, '119 minutes'],
  [86_400, '24 hours'],
  [172_800, '2 days'],
  [259_199, '2 days']
]

for (const [seconds, words] of lives) {
  t.test(`a life of ${seconds} s is at least ${words}`, async (t) => {
    t.equal(formatLifetime(seconds, en), words)
  })
}
