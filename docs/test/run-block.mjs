// Runs blocks as the process of an application does, one after the other: what a block declares is there, and what it
// exports is used. What one block changes in the process is restored for the next one.
//   node run-block.mjs FILE ...
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import '../../scripts/relative-imports.mjs'
import { beginMark, endMark } from './blocks.mjs'

// Loaded where they are used: most blocks need nothing but themselves.
const of = async (name) => (await import(name)).default

async function application(options = {}) {
  const [Fastify, postern] = [await of('fastify'), await of('@postern/fastify')]
  const { memoryAdapter } = await import('@postern/adapters/memory')
  const app = Fastify()
  await app.register(postern, { adapter: memoryAdapter(), providers: [], ...options })
  return app
}

/** What a block may declare to be there already. */
const declared = {
  app: () => application(),
  getUserId: () => () => 'the id of a user'
}
async function declareNames(code) {
  for (const [, name] of code.matchAll(/^declare (?:const|function) (\w+)/gm)) {
    if (!declared[name]) throw new Error(`nothing is known of what is declared as ${name}`)
    globalThis[name] = await declared[name]()
  }
}

/** A page of the application, for what runs in a browser: an address, and requests with its cookies. */
async function beOnPage() {
  const credentials = await of('@postern/core/providers/credentials')
  const app = await application({
    providers: [credentials({ credentials: { username: {}, password: {} }, authorize: () => null })]
  })
  const origin = await app.listen({ port: 0, host: 'localhost' })
  process.env.AUTH_URL = origin
  globalThis.location = new URL('/', origin)
  const cookies = new Map()
  const send = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await send(new URL(url, origin), { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) cookies.set(...cookie.split(';', 1)[0].split(/=(.*)/s, 2))
    return response
  }
  return app
}
async function expectAnswer(title, status) {
  if (!(status < 400)) throw new Error(`${title}: expected an answer, got ${status}`)
}

/** How an export is used, by its name; an option of the plugin is registered. */
const uses = {
  App: async (App) => {
    const { renderToString } = await import('react-dom/server')
    const { createElement } = await import('react')
    if (!renderToString(createElement(App)).startsWith('<')) throw new Error('expected the application to be drawn')
  },
  answer: async (answer) => {
    const { status } = await answer(new Request('https://app.example.com/api/auth/signin'))
    await expectAnswer('the sign-in page', status)
  },
  default: ({ fetch }) => uses.answer(fetch),
  devices: async (register) => register(await application()),
  provider: (provider) => uses.option('providers', [provider]),
  option: async (name, value) => {
    const app = await application({ [name]: value })
    await expectAnswer(`the sign-in page with ${name}`, (await app.inject('/api/auth/signin')).statusCode)
    await app.close()
  }
}
const options = [
  'adapter',
  'callbacks',
  'features',
  'pages',
  'providers',
  'rateLimit',
  'renderer',
  'screens',
  'secret',
  'session'
]

/** Restores what a block may change in the process. */
function keepProcess() {
  const [names, env, { fetch }] = [new Set(Object.getOwnPropertyNames(globalThis)), { ...process.env }, globalThis]
  return () => {
    for (const name of Object.getOwnPropertyNames(globalThis)) if (!names.has(name)) delete globalThis[name]
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
    globalThis.fetch = fetch
  }
}

async function run(file) {
  const code = readFileSync(file, 'utf8')
  process.chdir(dirname(file))
  await declareNames(code)
  const isOfBrowser = code.includes("from '@postern/react'") && !file.endsWith('.mjs')
  const server = isOfBrowser ? await beOnPage() : null
  for (const [name, value] of Object.entries(await import(pathToFileURL(file).href))) {
    if (options.includes(name)) await uses.option(name, value)
    else if (name !== 'option' && uses[name]) await uses[name](value)
  }
  await server?.close()
  return code
}

/** Divides both outputs of the process into those of its blocks. */
const mark = (text) => [process.stdout, process.stderr].map((stream) => stream.write(`\n${text}\n`))

for (const file of process.argv.slice(2)) {
  const restore = keepProcess()
  mark(beginMark(file))
  const code = await run(file)
  // Warnings are printed after what causes them.
  await setImmediate()
  mark(endMark(file))
  restore()
  // A connection to a server that the block opened, and that nobody closes, ends with the process.
  if (/ioredis|postgres:\/\//.test(code)) process.exit()
}
