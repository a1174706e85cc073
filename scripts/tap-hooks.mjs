// Comes before each test file: see tap-domain.mjs.
import { registerHooks } from 'node:module'

const domain = new URL('tap-domain.mjs', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier !== 'async-hook-domain') return next(specifier, context)
    return { url: domain, format: 'module', shortCircuit: true }
  }
})
