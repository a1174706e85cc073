import { readFileSync } from 'node:fs'
import t from 'tap'
import { listKindsThatEndWith, ticketKinds } from '../../src/model/ticket-kinds.ts'

const read = (file: string): string => readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8')

t.test('each kind of tickets is written by its owner, and consumed where the list says', async (t) => {
  for (const [kind, { owner, consumer }] of Object.entries(ticketKinds)) {
    t.match(read(owner), `ticketKinds.${kind}`, owner)
    t.match(read(consumer), /tickets\??\.consume\(/, consumer)
  }
})

t.test('a change of the user deletes what depends on it', async (t) => {
  t.same(listKindsThatEndWith('sessions'), ['pending-sign-in'])
  t.same(listKindsThatEndWith('address'), ['pending-sign-in', 'invitation'])
})
