import type { Texts } from './texts/texts.ts'

type Round = (value: number) => number

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Rounds a waiting time up, so that a retry is never too early. */
export function formatWait(seconds: number, { duration }: Texts): string {
  return formatDuration(seconds, Math.ceil, duration)
}

/** Rounds a lifetime down, so that it is never overstated. */
export function formatLifetime(seconds: number, { duration }: Texts): string {
  return formatDuration(seconds, Math.floor, duration)
}

function formatDuration(seconds: number, round: Round, duration: Texts['duration']): string {
  const complete = Math.max(1, round(seconds))
  if (complete < minute) return duration(complete, 'second')
  const minutes = round(complete / minute)
  if (minutes < 120 && minutes !== 60) return duration(minutes, 'minute')
  const hours = round(complete / hour)
  return hours < 48 ? duration(hours, 'hour') : duration(round(complete / day), 'day')
}
