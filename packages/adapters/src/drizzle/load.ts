import { createRequire } from 'node:module'

/** Loads a driver when it is needed: an entry can be imported without it. */
export const load: NodeJS.Require = createRequire(import.meta.url)
