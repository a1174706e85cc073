// Runs one of next-auth's test files, which its package contains: `run-file.js <file> <client> <major of React>`.
import './page.ts'
import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'

const [file = '', client = '', major = '19'] = process.argv.slice(2)
const nextAuth = dirname(createRequire(import.meta.url).resolve('next-auth'))
const tests = join(nextAuth, 'src/client/__tests__')
const here = (name: string): string => new URL(name, import.meta.url).href

/** What the tests import, and what they get. */
const replaced: Readonly<Record<string, string>> = {
  msw: here('msw.js'),
  'msw/node': here('msw.js'),
  '@testing-library/react': here('testing-library.js'),
  '@testing-library/react-hooks': here('testing-library.js'),
  '@testing-library/user-event': here('testing-library.js'),
  '../../react': import.meta.resolve(client),
  '../../utils/logger': here('logger.js'),
  './helpers/mocks': pathToFileURL(join(tests, 'helpers/mocks.js')).href,
  './helpers/utils': pathToFileURL(join(tests, 'helpers/utils.js')).href
}

registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = '' } = context
    const url = parentURL.startsWith(pathToFileURL(tests).href) ? replaced[specifier] : undefined
    if (url) return { url, shortCircuit: true }
    if (specifier === '../utils/logger') return { url: here('logger.js'), shortCircuit: true }
    const [, name, path = ''] = /^(react|react-dom)(\/.*)?$/.exec(specifier) ?? []
    if (!name || major !== '18') return next(specifier, context)
    return next(`${name}-18${path}`, { ...context, parentURL: import.meta.url })
  },
  load: (url, context, next) => {
    if (!url.startsWith(pathToFileURL(tests).href)) return next(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    const { code } = transformSync(source, { loader: 'jsx', jsx: 'automatic', format: 'esm' })
    return { format: 'module', source: code, shortCircuit: true }
  }
})

Object.assign(globalThis, { global: globalThis })
const { runRegistered } = await import('./jest.js')
await import(pathToFileURL(join(tests, file)).href)
// The console is the page's.
process.stdout.write(JSON.stringify(await runRegistered()), () => process.exit())
