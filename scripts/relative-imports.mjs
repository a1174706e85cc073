// Comes before the modules of a test process.
import { registerHooks } from 'node:module'

/**
 * An import by file name. Node would look for the file, and read a manifest for its format: drizzle-orm's, which has thousands
 * of exports, once for each of its files.
 */
const relative = /^\.\.?\/.*\.js$/

registerHooks({
  resolve: (specifier, context, next) =>
    // An ES module with this extension is of a package in which all files with it are ES modules.
    relative.test(specifier) && context.conditions.includes('import') && context.parentURL?.endsWith('.js')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context)
})
