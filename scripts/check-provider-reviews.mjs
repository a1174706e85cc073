// Names the providers whose comparison with their documents is older than a year, and fails if there is one.
import { fileURLToPath } from 'node:url'
import { reviews } from './docs/provider-reviews.mjs'

/** @returns The ids whose comparison is more than a year before the date, the oldest first. */
export function getOldReviews(all, now) {
  const limit = new Date(now)
  limit.setUTCFullYear(limit.getUTCFullYear() - 1)
  const oldest = limit.toISOString().slice(0, 10)
  const old = Object.entries(all).filter(([, { on }]) => on < oldest)
  return old.sort(([, a], [, b]) => a.on.localeCompare(b.on)).map(([id]) => id)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const old = getOldReviews(reviews, new Date())
  for (const id of old) console.log(`${reviews[id].on} ${id}`)
  if (old.length > 0) {
    console.log(`${old.length} providers: compare them again, and update scripts/docs/provider-reviews.json`)
    process.exitCode = 1
  }
}
