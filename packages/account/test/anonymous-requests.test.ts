import { auditLog } from '@postern/account/audit-log'
import credentials from '@postern/core/providers/credentials'
import type { Method } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { base, openAccountApplication } from './account-application.ts'

const token = 'A'.repeat(43)

/** What scanners, mistyped addresses and truncated links send. `error` is left out: it names the page that is shown. */
const parameters: readonly (readonly (readonly [name: string, value: string])[])[] = [
  [],
  [['token', '']],
  [['token', 'x']],
  [['token', token]],
  [
    ['token', token],
    ['token', 'x']
  ],
  [
    ['token', 'x'],
    ['email', 'ada']
  ],
  [
    ['token', token],
    ['email', 'ada@example.com']
  ],
  [['email', 'ada@example.com']],
  [
    ['code', 'x'],
    ['state', 'y']
  ],
  [['code', '']],
  [
    ['id', '\u0000'],
    ['provider', '__proto__'],
    ['userHandle', '\ud800']
  ],
  [
    ['email', 'a'.repeat(5000)],
    ['password', 'p'.repeat(5000)],
    ['callbackUrl', '//evil.test']
  ]
]

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Replaces the parameters of a path by the values that it can have. */
function fill(path: string, providers: readonly string[]): readonly string[] {
  if (path.includes(':provider')) return [...providers, 'unknown'].map((id) => path.replace(':provider', id))
  return [path.replaceAll(/:\w+|\*/g, 'unknown')]
}

// RFC 9110 §15.6: 5xx is for failures of the server. Alarms depend on the log, which a visitor must not be able to trigger.
t.test('no request without a session is answered 5xx, or is an error in the log', async (t) => {
  const errors: unknown[] = []
  const logger = { error: (code: string, metadata: unknown) => void errors.push(code, metadata), warn: () => undefined }
  const form = credentials({ credentials: { username: {}, password: { type: 'password' } }, authorize: () => null })
  const features = [auditLog()]
  const app = await openAccountApplication(t, 'database', { features, providers: [form], logger })
  const providers = Object.keys(await app.newBrowser().json<object>(`${base}/providers`))
  const paths = new Set(app.auth.routes.flatMap(({ path }) => fill(path, providers)))
  t.ok(paths.size > 60, `${paths.size} paths`)
  const browser = app.newBrowser()
  let count = 0
  for (const path of paths) {
    for (const [index, fields] of parameters.entries()) {
      const isOdd = index % 2 === 1
      // Each path has each parameter, and in the long run each method with it.
      const other = isOdd ? (methods[(index + path.length) % methods.length] ?? 'HEAD') : []
      const chosen = isLong ? methods : ['GET' as const, ...[other].flat()]
      const query = new URLSearchParams(fields.map(([name, value]) => [name, value]))
      const at = `${base}${path}?${query}`
      const answers = await Promise.all([
        ...chosen.map((method) => browser.request(method, at)),
        browser.submit(isOdd ? at : base + path, { ...Object.fromEntries(fields), ...(isOdd && { json: 'true' }) })
      ])
      count += answers.length
      const statuses = answers.map(({ status }) => status)
      if (statuses.some((status) => status >= 500)) t.fail(`${path}?${query}: ${statuses}`)
      if (errors.length > 0) t.fail(`${path}?${query}`, { errors: errors.splice(0) })
    }
  }
  t.ok(count > 1000, `${count} requests`)
})
