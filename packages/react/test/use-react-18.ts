// Every import of react and react-dom after this one is of version 18, also inside react-dom itself.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) => {
    const [, name, path = ''] = /^(react|react-dom)(\/.*)?$/.exec(specifier) ?? []
    return name ? next(`${name}-18${path}`, { ...context, parentURL: import.meta.url }) : next(specifier, context)
  }
})
