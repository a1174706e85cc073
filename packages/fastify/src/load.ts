import { createRequire } from 'node:module'

/**
 * Loads a module on first use, so that startup does not wait for it. CommonJS modules that startup needs are loaded
 * here too, because an `import` reads their source a second time to detect the exports.
 */
export const load: NodeJS.Require = createRequire(import.meta.url)
