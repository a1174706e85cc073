import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { answerParent } from './control.ts'
import { getLocalOrigin, secret } from './subjects/subject.ts'

/** The settings of a server with all features of any checkout. */
export interface FeatureSettings {
  /** The folder of the checkout, which is built. */
  readonly root: string
  readonly port: number
  /** Where the rows are; a `bare` server has no Postern. */
  readonly kind: 'bare' | 'memory' | 'sqlite'
  /** The file of SQLite. */
  readonly file: string
}

const settings: FeatureSettings = JSON.parse(process.argv[2] ?? 'null')
const { root, port, kind, file } = settings

/** The address of a module as that checkout resolves it. */
const resolve = (name: string): string =>
  pathToFileURL(createRequire(join(root, 'packages/bench/package.json')).resolve(name)).href

async function createAdapter(): Promise<object> {
  if (kind === 'sqlite') {
    const { sqliteAdapter }: typeof import('@postern/adapters/sqlite') = await import(
      resolve('@postern/adapters/sqlite')
    )
    return sqliteAdapter({ file })
  }
  const { memoryAdapter }: typeof import('@postern/adapters/memory') = await import(resolve('@postern/adapters/memory'))
  return memoryAdapter()
}

async function createOptions() {
  const { default: email }: typeof import('@postern/core/providers/email') = await import(
    resolve('@postern/core/providers/email')
  )
  const { accountPages }: typeof import('@postern/account/pages') = await import(resolve('@postern/account/pages'))
  const { auditLog }: typeof import('@postern/account/audit-log') = await import(resolve('@postern/account/audit-log'))
  const { passkey }: typeof import('@postern/account/passkey') = await import(resolve('@postern/account/passkey'))
  const { password }: typeof import('@postern/account/password') = await import(resolve('@postern/account/password'))
  const { secondFactor }: typeof import('@postern/account/second-factor') = await import(
    resolve('@postern/account/second-factor')
  )
  const mailer = email({ server: 'smtp://127.0.0.1:1', from: 'mail@example.com' })
  return {
    url: getLocalOrigin({ port }),
    secret,
    adapter: await createAdapter(),
    mailer,
    providers: [mailer, password(), passkey()],
    features: [secondFactor(), auditLog(), accountPages()]
  }
}

/** The files of JavaScript that this process has read. */
async function countModules(): Promise<number> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  const files = new Set<string>()
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    if (url.startsWith('file:')) files.add(url)
  })
  await session.post('Debugger.enable')
  session.disconnect()
  return files.size
}

const { default: fastify }: typeof import('fastify') = await import(resolve('fastify'))
const app = fastify()
if (kind === 'bare') app.get('/api/auth/signin', async () => ({ ok: true }))
else {
  const { default: postern }: typeof import('@postern/fastify') = await import(resolve('@postern/fastify'))
  await app.register(postern, await createOptions())
}
app.get('/modules', async () => ({ modules: await countModules() }))
await app.listen({ port, host: '127.0.0.1' })
answerParent()
process.send?.({ port })
