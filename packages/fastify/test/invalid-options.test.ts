import { ConfigError, createPostern, type Logger, type PosternOptions, type Problem } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import email from '@postern/core/providers/email'
import github from '@postern/core/providers/github'
import oidc from '@postern/core/providers/oidc'
import { invalidOptionsWith, validOptions } from '@postern/testkit/invalid-options'
import { isLong } from '@postern/testkit/long'
import Fastify from 'fastify'
import t from 'tap'
import postern from '../src/index.ts'

type Environment = Readonly<Record<string, string>>

const form = credentials({ credentials: { name: {} }, authorize: () => null })
const hub = github({ clientId: 'a', clientSecret: 'b' })
const mail = email({ server: 'smtp://mail.test', from: 'a@app.test' })
const good = validOptions({ form })
const silent: Logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

async function getProblems(work: () => unknown): Promise<readonly Problem[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const coreProblems = (options: unknown, environment: Environment) =>
  getProblems(() => createPostern(options as PosternOptions, environment))

/** The plugin reads the environment of the process. */
async function pluginProblems(options: unknown, environment: Environment, prefix = ''): Promise<readonly Problem[]> {
  const before = process.env
  process.env = { ...environment }
  const app = Fastify()
  try {
    return await getProblems(() =>
      app.register(async (scope) => void (await scope.register(postern, options as PosternOptions)), { prefix })
    )
  } finally {
    process.env = before
    await app.close()
  }
}

const table = invalidOptionsWith({ hub, form, mail, github, email, oidc })
/** The core has a test of each. */
const some = isLong ? table : table.filter((_, index) => index % 4 === 0)

t.test('the plugin reports every error of createPostern, with the same messages', async (t) => {
  t.ok(table.length >= 80, `${table.length} mistakes`)
  for (const { title, options, option, code, message, environment } of some) {
    const given = { logger: silent, ...good, ...options }
    const problems = await pluginProblems(given, environment)
    t.match(
      problems.filter((problem) => problem.option === option),
      [{ option, code, message }],
      title
    )
    t.same(problems, await coreProblems(given, environment), title)
  }
})

const empty = {}
/** Options that a plugin would accept or report differently if it merged before validating. */
const merged: readonly (readonly [title: string, options: object])[] = [
  ['limits in a word', { rateLimit: 'off' }],
  ['limits that are null', { rateLimit: null }],
  ['limits in a list', { rateLimit: [] }],
  ['a limiter that is null', { rateLimit: { limiter: null } }],
  ['a limiter that is a text', { rateLimit: { limiter: 'redis' } }],
  ['a limit that there is not', { rateLimit: { mailsPerClient: { points: 1, seconds: 1 } } }],
  ['a logger that is on', { logger: true }],
  ['a logger that is a function', { logger: () => undefined }],
  ['a logger that is null', { logger: null }],
  ['a logger with a misspelled level', { logger: { eror: () => undefined } }],
  [
    'a logger with a misspelled level next to a correct one',
    { logger: { error: () => undefined, wran: () => undefined } }
  ],
  ['a logger with a level that is not a function', { logger: { error: 'console' } }],
  ['a runtime in a word', { runtime: 'node' }],
  ['a runtime that is null', { runtime: null }],
  ['a misspelled part of the runtime', { runtime: { fecth: () => undefined } }],
  ['a clock that is a date', { runtime: { now: new Date(0) } }],
  ['a renderer that is null', { renderer: null }],
  ['a renderer in a word', { renderer: 'pages' }],
  ['a base path that is a number', { basePath: 5 }],
  ['a base path that is null', { basePath: null }],
  ['debugging in a word', { debug: 'yes' }],
  ['constants that are null', { constants: null }],
  ['constants in a word', { constants: 'none' }],
  ['a limiter’s patience in words', { constants: { limiterTimeoutMilliseconds: 'long' } }],
  [
    'everything at once',
    { rateLimit: 'off', logger: true, runtime: 'node', renderer: null, basePath: 5, sesion: empty }
  ]
]

t.test('the plugin’s defaults hide no error in the given options', async (t) => {
  for (const [title, options] of merged) {
    const given = { ...good, ...options }
    const problems = await pluginProblems(given, {})
    t.ok(problems.length > 0, title)
    t.same(problems, await coreProblems(given, {}), title)
  }
})

t.test('options that are not a group are reported unchanged', async (t) => {
  for (const options of ['github', 5, true, [], [good]])
    t.same(await pluginProblems(options, {}), await coreProblems(options, {}), JSON.stringify(options))
})

t.test('below a prefix too, a base path has to be one', async (t) => {
  for (const basePath of ['login', 'api/auth/', 5, '']) {
    const given = { ...good, basePath }
    t.same(await pluginProblems(given, {}, '/team'), await coreProblems(given, {}), String(basePath))
  }
})
