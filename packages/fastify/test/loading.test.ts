import { execFileSync } from 'node:child_process'
import t from 'tap'

const program = `
  import { createRequire, registerHooks } from 'node:module'
  const files = new Set()
  registerHooks({ load: (url, context, next) => (files.add(url), next(url, context)) })
  const [Fastify, postern, github, email] = await Promise.all(
    ['fastify', '@postern/fastify', '@postern/core/providers/github', '@postern/core/providers/email'].map(async (name) => (await import(name)).default)
  )
  const { cache } = createRequire(import.meta.url)
  const loaded = () => ({
    react: Object.keys(cache).some((file) => file.includes('/react-dom/')),
    oauth: [...files].some((file) => file.includes('/oauth4webapi/')),
    mails: [...files].some((file) => file.includes('/nodemailer/')),
    calls: [...files].some((file) => file.endsWith('/node/index.js')),
    fetch: process.moduleLoadList.includes('NativeModule internal/deps/undici/undici')
  })
  const app = Fastify()
  const secret = 'a secret of the tests, 32 characters or more'
  const mailer = email({ server: 'smtp://mail.test', from: 'app@app.test' })
  const providers = [github({ clientId: 'a', clientSecret: 'b' })]
  await app.register(postern, { url: 'http://app.test', secret, providers, mailer })
  const session = await app.inject('/api/auth/session')
  const before = loaded()
  const page = await app.inject('/api/auth/signin')
  const after = loaded()
  const callback = await app.inject('/api/auth/callback/github?code=a&state=b')
  const statuses = [session, page, callback].map(({ statusCode }) => statusCode)
  console.log(JSON.stringify({ before, after, end: loaded(), statuses, isPage: page.body.includes('GitHub') }))
`

t.test(
  'a start loads what it needs: screens with the first page, sign-ins with the first of them, what calls out with the first call',
  async (t) => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' }
    })
    t.match(JSON.parse(output), {
      before: { react: false, oauth: false, mails: false, calls: false, fetch: false },
      after: { react: true, oauth: false },
      end: { react: true, oauth: true, mails: false, calls: false },
      statuses: [200, 200, 400],
      isPage: true
    })
  }
)
