// Comes before each test file: see tap-domain.mjs.
import { registerHooks } from 'node:module'

const domain = new URL('tap-domain.mjs', import.meta.url).href
/** Only `pages` and `react` are about React; the others render with its build for production, as applications do. */
const isAboutReact = /[\\/]packages[\\/](?:pages|react)$/.test(process.cwd())
const developmentBuild = /^\.\/cjs\/react[\w.-]*\.development\.js$/

/**
 * An import by file name. Node would look for the file, and read a manifest for its format: drizzle-orm's, which has thousands
 * of exports, once for each of its files.
 */
const relative = /^\.\.?\/.*\.js$/

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'async-hook-domain') return { url: domain, format: 'module', shortCircuit: true }
    // An ES module with this extension is of a package in which all files with it are ES modules.
    if (relative.test(specifier) && context.conditions.includes('import') && context.parentURL?.endsWith('.js'))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    if (isAboutReact || !developmentBuild.test(specifier)) return next(specifier, context)
    try {
      return next(specifier.replace('.development.js', '.production.js'), context)
    } catch {
      // React 18, which tap's comparisons import, calls it something else.
      return next(specifier, context)
    }
  }
})
