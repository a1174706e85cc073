import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { cases } from './cases.ts'

const root = join(import.meta.dirname, '../../../../..')
const script = join(root, 'scripts/check-provider-reviews.mjs')

interface Review {
  readonly result: string
  readonly on: string
  readonly compared?: readonly string[]
  readonly read?: readonly { readonly url: string; readonly copy: string }[]
  readonly searched?: string
  readonly note?: string
  /** Whose addresses the provider proves, by which field, and the page that says so. */
  readonly email?: {
    readonly addresses: string
    readonly by: string
    readonly url: string
    readonly copy: string
    readonly on: string
  }
}

interface Script {
  readonly getOldReviews: (reviews: Readonly<Record<string, Review>>, now: Date) => readonly string[]
}

const reviews: Readonly<Record<string, Review>> = JSON.parse(
  readFileSync(join(root, 'scripts/docs/provider-reviews.json'), 'utf8')
)
const rows = Object.entries(reviews)
const copies = /^(?:20\d\d-\d\d-\d\d|commit [0-9a-f]{7}|undated)$/
const aspects = ['endpoints', 'scopes', 'fields', 'refresh', 'sign-out', 'client authentication', 'PKCE']

t.test('every row is about a provider, and says what was compared with which page', async (t) => {
  for (const [id, { result, on, compared, read, searched, note }] of rows) {
    t.ok(cases.has(id), id)
    t.match(on, /^20\d\d-\d\d-\d\d$/, id)
    if (result === 'not read') {
      t.ok(searched && !read && !compared, `${id} says what was searched, and nothing else`)
      continue
    }
    t.ok(['agrees', 'changed', 'ended'].includes(result), id)
    t.ok(compared && compared.length > 0 && compared.every((aspect) => aspects.includes(aspect)), id)
    t.ok(read && read.length > 0 && !searched, id)
    for (const { url, copy } of read ?? []) {
      t.match(url, /^https:\/\//, id)
      t.match(copy, copies, id)
    }
    if (result !== 'agrees') t.ok(note, `${id} says what has changed`)
  }
})

t.test('every provider has a row, and at least 60 were read', async (t) => {
  t.same(Object.keys(reviews), [...cases.keys()].sort())
  t.ok(rows.filter(([, { result }]) => result !== 'not read').length >= 60)
})

t.test('a provider that is trusted for addresses has a source for it, and no other', async (t) => {
  for (const [id, [usual]] of cases) {
    const { verifiesEmail, hooks } = usual?.make() ?? {}
    const isTrusted = Boolean(verifiesEmail) || hooks?.isEmailAuthority !== undefined
    const { email } = reviews[id] ?? {}
    t.equal(email !== undefined, isTrusted, id)
    if (!email) continue
    t.ok(email.addresses && email.by, id)
    t.match(email.url, /^https:\/\//, id)
    t.match(email.copy, copies, id)
    t.match(email.on, /^20\d\d-\d\d-\d\d$/, id)
  }
})

t.test('a row is old the day after a year', async (t) => {
  const { getOldReviews }: Script = await import(pathToFileURL(script).href)
  const at = (on: string): Review => ({ result: 'agrees', on })
  const all = { b: at('2027-03-02'), c: at('2027-03-03'), a: at('2026-12-31') }
  t.same(getOldReviews(all, new Date('2028-03-02T23:59:59Z')), ['a'])
  t.same(getOldReviews(all, new Date('2028-03-03T00:00:00Z')), ['a', 'b'])
  t.same(getOldReviews(all, new Date('2027-01-01T00:00:00Z')), [])
})

t.test('the script names the old rows, and fails if there are any', async (t) => {
  const oldest = rows.map(([, { on }]) => on).sort()[0] ?? ''
  const preload = (date: string): string =>
    `data:text/javascript,${encodeURIComponent(`Date = class extends Date { constructor(...a) { super(...(a.length ? a : ['${date}'])) } }`)}`
  const run = (date: string): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, ['--import', preload(date), script])
  t.same((await run(`${oldest}T12:00:00Z`)).stdout, '')
  const [failed] = await Promise.allSettled([run('2999-01-01T00:00:00Z')])
  t.match(failed, { status: 'rejected', reason: { code: 1, stdout: `${rows.length} providers` } })
  t.match(failed, { reason: { stdout: `${oldest} ` } })
})
