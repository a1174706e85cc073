import type { ReactElement } from 'react'
import { perLocale } from '../per-locale.ts'

interface TimestampProps {
  /** ISO 8601. */
  readonly time: string
  /** The current time, in ISO 8601. */
  readonly now: string
  /** The language of the page, as a BCP 47 tag. */
  readonly locale: string
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60]
] as const

const getRelativeFormat = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
const getExactFormat = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
)

/** Formats a time relative to another one: "3 days ago". */
export function formatRelative({ time, now, locale }: TimestampProps): string {
  const seconds = (new Date(time).getTime() - new Date(now).getTime()) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  const count = unit === 'second' ? 0 : Math.trunc(seconds / size)
  return getRelativeFormat(locale).format(count, unit)
}

/** Formats a time exactly, in UTC. */
export function formatExact({ time, locale }: Pick<TimestampProps, 'time' | 'locale'>): string {
  return `${getExactFormat(locale).format(new Date(time))} UTC`
}

/** A time relative to now, with the exact time as its tooltip. */
export function Timestamp(props: TimestampProps): ReactElement {
  return (
    <time dateTime={props.time} title={formatExact(props)}>
      {formatRelative(props)}
    </time>
  )
}
