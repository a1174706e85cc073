import { createRequire } from 'node:module'

/** Loads a driver on first use, so that an entry can be imported without it. */
export const loadDriver: NodeJS.Require = createRequire(import.meta.url)
