import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { cases } from './cases.ts'
import { recordings } from './recorded.ts'

const folder = join(import.meta.dirname, '../../src/providers')
const modules = readdirSync(folder).flatMap((file) => (file.endsWith('.js') ? [file.slice(0, -3)] : []))

const excluded: Readonly<Record<string, string>> = {
  email: 'an email sender',
  credentials: 'the application’s own form',
  forwardemail: 'an email sender',
  loops: 'an email sender',
  mailgun: 'an email sender',
  nodemailer: 'an email sender',
  postmark: 'an email sender',
  resend: 'an email sender',
  sendgrid: 'an email sender',
  passkey: 'WebAuthn is not an OAuth',
  webauthn: 'WebAuthn is not an OAuth'
}

t.test('every recorded OAuth provider has a module, and a sign-in that tries it', async (t) => {
  const ids = recordings.providers.map(({ id }) => id).sort()
  t.equal(ids.length, 94)
  const knownIds = new Set([...ids, ...Object.keys(excluded), 'oidc'])
  t.same(
    ids.filter((id) => !modules.includes(id)),
    []
  )
  t.same(
    modules.filter((id) => !knownIds.has(id)),
    []
  )
  t.same([...cases.keys()].sort(), ids)
})

t.test('every omission has a reason', async (t) => {
  t.same(recordings.others.map(({ id }) => id).sort(), Object.keys(excluded).sort())
  for (const [id, reason] of Object.entries(excluded)) t.comment(`${id}: ${reason}`)
})

t.test('every difference from the recording has a reason', async (t) => {
  const reasons = [...cases].flatMap(([id, [usual]]) => (usual?.corrected ? [`${id}: ${usual.corrected.why}`] : []))
  for (const reason of reasons) t.comment(reason)
  t.ok(reasons.every((reason) => reason.length > 20))
})

const from = /^(?:import|export)\s[^;]*?from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm

/** Every file that is loaded with this one. */
function loadedWith(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, one, bare, late] of readFileSync(file, 'utf8').matchAll(from)) {
    const specifier = one ?? bare ?? late ?? ''
    if (specifier.startsWith('.')) loadedWith(join(dirname(file), specifier), seen)
    else seen.add(specifier)
  }
  return seen
}

t.test('a module loads no other provider, and nothing of the core', async (t) => {
  for (const id of cases.keys()) {
    const loaded = [...loadedWith(join(folder, `${id}.js`))].map((file) => relative(folder, file))
    t.same(
      loaded.filter((file) => file !== `${id}.js` && !file.startsWith('hooks/')),
      [],
      id
    )
  }
})

t.test('every factory sets the name, and passes the options on', async (t) => {
  for (const [id, [usual]] of cases) {
    const config = usual?.make()
    t.equal(config?.id, id)
    t.type(config?.options, 'object')
  }
})
