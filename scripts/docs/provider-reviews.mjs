// The comparisons of the provider modules with the documents of their providers.
import { readFileSync } from 'node:fs'

/** By provider id, how and when its module was last compared. */
export const reviews = JSON.parse(readFileSync(new URL('provider-reviews.json', import.meta.url), 'utf8'))
