import { createRequire } from 'node:module'

/** Loads what most requests do without, when it is first needed: a start does not wait for it. */
export const load: NodeJS.Require = createRequire(import.meta.url)
