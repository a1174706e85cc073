import type { Texts } from './texts/texts.ts'

type Round = (value: number) => number

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Rounds a wait up, so that nobody is told to come back too early. */
export function waitInWords(seconds: number, { duration }: Texts): string {
  return inWords(seconds, Math.ceil, duration)
}

/** Rounds a life down, so that nothing is promised to be good for longer than it is. */
export function lifeInWords(seconds: number, { duration }: Texts): string {
  return inWords(seconds, Math.floor, duration)
}

function inWords(seconds: number, round: Round, duration: Texts['duration']): string {
  const whole = Math.max(1, round(seconds))
  if (whole < minute) return duration(whole, 'second')
  const minutes = round(whole / minute)
  if (minutes < 120 && minutes !== 60) return duration(minutes, 'minute')
  const hours = round(whole / hour)
  return hours < 48 ? duration(hours, 'hour') : duration(round(whole / day), 'day')
}
