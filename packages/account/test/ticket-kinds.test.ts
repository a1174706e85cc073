import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { listKindsThatEndWith, listLastingKinds, ticketKinds } from '../src/ticket-kinds.ts'

const root = fileURLToPath(new URL('../../src/', import.meta.url))
const read = (file: string): string => readFileSync(root + file, 'utf8')

t.test('each kind of tickets is written by its owner, and consumed where the list says', async (t) => {
  for (const [kind, { owner, consumer }] of Object.entries(ticketKinds)) {
    t.match(read(owner), `ticketKinds.${kind}`, owner)
    if (consumer !== null)
      t.match(read(consumer), /tickets\.consume\(|'consumeTicket'|ticket: \{ kind: kind\.name/, consumer)
  }
})

t.test('no other file spells the kind of a ticket', async (t) => {
  const names = Object.values(ticketKinds).map(({ name }) => name)
  const spelled = new RegExp(`kind: '(${names.join('|')})'|args: \\[\\w+, '`)
  for (const file of globSync('**/*.ts', { cwd: root })) t.notMatch(read(file), spelled, file)
})

t.test('a change of the user deletes what depends on it', async (t) => {
  t.same(listKindsThatEndWith('address', 'account'), ['email-change', 'email-waiting'])
  t.same(listKindsThatEndWith('address', 'password'), ['reset'])
  t.same(listKindsThatEndWith('password', 'password'), ['reset'])
  t.same(listKindsThatEndWith('factor-reset', 'factors'), ['enroll', 'mailed-code'])
})

t.test('a suspended user keeps a scheduled deletion', async (t) => {
  t.same(listLastingKinds('account'), [ticketKinds.deletion])
})

t.test('what an address change must end is stated by the feature', async (t) => {
  const stating = { account: 'pages/account-pages.ts', password: 'password/password.ts' }
  for (const { features, endsWith } of Object.values(ticketKinds)) {
    if (!endsWith.includes('address')) continue
    for (const feature of features) t.ok(Object.hasOwn(stating, feature), feature)
  }
  for (const file of Object.values(stating)) t.match(read(file), "listKindsThatEndWith('address'", file)
})
