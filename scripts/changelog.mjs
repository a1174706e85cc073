// Checks the form of CHANGELOG.md, and refuses a release that it does not describe.
//   node scripts/changelog.mjs VERSION   exits with 1 if the version has no section with a date
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('../CHANGELOG.md', import.meta.url))
const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** @returns Whether it is a day of the calendar, as YYYY-MM-DD. */
function isDay(text) {
  const day = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** The sections, newest first: `date` is `null` if it is missing, and for the unreleased one. */
function getChapters(log) {
  return [...log.matchAll(/^## (.*)$/gm)].map(([, heading]) => {
    const [, name = null, date = null] = /^\[([^\]]+)\](?: - (.+))?$/.exec(heading) ?? []
    return { heading, name, date }
  })
}

/** @returns The differences from Keep a Changelog. */
export function getComplaints(log) {
  const chapters = getChapters(log)
  const headings = chapters.flatMap(({ heading, name, date }, index) => {
    const isWell = name === 'Unreleased' ? index === 0 && date === null : /^\d+\.\d+\.\d+/.test(name) && isDay(date)
    if (!isWell) return [`${heading}: expected [Unreleased], first of all, or [version] - YYYY-MM-DD`]
    return log.includes(`\n[${name}]: https://`) ? [] : [`${heading}: expected its address at the end`]
  })
  const dates = chapters.flatMap(({ date }) => (date ? [date] : []))
  const order = dates.join() === dates.toSorted().reverse().join() ? [] : ['expected the newest first']
  const others = [...log.matchAll(/^### (.*)$/gm)].flatMap(([, kind]) => (kinds.includes(kind) ? [] : [kind]))
  return [...headings, ...order, ...others.map((kind) => `${kind}: expected one of ${kinds.join(', ')}`)]
}

/** @returns The reason why a version cannot be published, or `null`. */
export function getRefusal(log, version) {
  const chapter = getChapters(log).find(({ name }) => name === version)
  if (!chapter) return `CHANGELOG.md: expected ## [${version}] - YYYY-MM-DD, got no such section`
  return isDay(chapter.date) ? null : `CHANGELOG.md: expected ## [${version}] - YYYY-MM-DD, got ## ${chapter.heading}`
}

/** @returns Whether the log describes a version: in its own section, or in the unreleased one. */
export function hasNotesFor(log, version) {
  return getChapters(log).some(({ name }, index) => name === version || (name === 'Unreleased' && index === 0))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , version = ''] = process.argv
  const refusal = getRefusal(readFileSync(file, 'utf8'), version)
  if (refusal) {
    console.error(refusal)
    process.exitCode = 1
  }
}
