import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { cases } from './cases.ts'
import { recordings } from './recorded.ts'

const folder = join(import.meta.dirname, '../../src/providers')
const modules = readdirSync(folder).flatMap((file) => (file.endsWith('.js') ? [file.slice(0, -3)] : []))

const leftOut: Readonly<Record<string, string>> = {
  email: 'an e-mail sender',
  credentials: 'the application’s own form',
  forwardemail: 'an e-mail sender',
  loops: 'an e-mail sender',
  mailgun: 'an e-mail sender',
  nodemailer: 'an e-mail sender',
  postmark: 'an e-mail sender',
  resend: 'an e-mail sender',
  sendgrid: 'an e-mail sender',
  passkey: 'WebAuthn is no OAuth',
  webauthn: 'WebAuthn is no OAuth'
}

t.test('every recorded OAuth provider has a module, and a sign-in that tries it', async (t) => {
  const ids = recordings.providers.map(({ id }) => id).sort()
  t.equal(ids.length, 94)
  const known = new Set([...ids, ...Object.keys(leftOut), 'oidc'])
  t.same(
    ids.filter((id) => !modules.includes(id)),
    []
  )
  t.same(
    modules.filter((id) => !known.has(id)),
    []
  )
  t.same([...cases.keys()].sort(), ids)
})

t.test('what is left out is left out for a reason', async (t) => {
  t.same(recordings.others.map(({ id }) => id).sort(), Object.keys(leftOut).sort())
  for (const [id, reason] of Object.entries(leftOut)) t.comment(`${id}: ${reason}`)
})

t.test('what is done otherwise than recorded is done for a reason', async (t) => {
  const reasons = [...cases].flatMap(([id, [usual]]) => (usual?.mended ? [`${id}: ${usual.mended.why}`] : []))
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

t.test('every factory gives a name to what it is, and passes the options on', async (t) => {
  for (const [id, [usual]] of cases) {
    const config = usual?.make()
    t.equal(config?.id, id)
    t.type(config?.options, 'object')
  }
})
