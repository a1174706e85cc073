// Comes before each test file: see tap-domain.mjs and batch-output.mjs.
import { registerHooks } from 'node:module'
import './batch-output.mjs'
import './relative-imports.mjs'

const domain = new URL('tap-domain.mjs', import.meta.url).href
/** Only `pages` and `react` are about React; the others render with its build for production, as applications do. */
const isAboutReact = /[\\/]packages[\\/](?:pages|react)$/.test(process.cwd())
const developmentBuild = /^\.\/cjs\/react[\w.-]*\.development\.js$/

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'async-hook-domain') return { url: domain, format: 'module', shortCircuit: true }
    if (isAboutReact || !developmentBuild.test(specifier)) return next(specifier, context)
    try {
      return next(specifier.replace('.development.js', '.production.js'), context)
    } catch {
      // React 18, which tap's comparisons import, calls it something else.
      return next(specifier, context)
    }
  }
})
