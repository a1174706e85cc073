import { createRequire } from 'node:module'

/**
 * Loads what most requests do without, when it is first needed: a start does not wait for it. What a start needs comes
 * this way too where it is no ES module: an import of it would read its source a second time, to find its exports.
 */
export const load: NodeJS.Require = createRequire(import.meta.url)
