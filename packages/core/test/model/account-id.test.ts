import t from 'tap'
import { checkAccountId } from '../../src/model/account-id.ts'

const tokens = { access_token: 'token' }

/** An id that `profile` returned, and the profile that it was made of. */
const ambiguous: readonly (readonly [title: string, id: unknown, raw: Readonly<Record<string, unknown>>])[] = [
  ['an unsafe integer', 2 ** 53, { id: 2 ** 53 }],
  ['an unsafe integer that was computed', 2 ** 53, { id: '9007199254740992' }],
  ['the string of an integer that was rounded', String(2 ** 53), { id: 2 ** 53 }],
  ['a string with an integer that was rounded', `user-${2 ** 53}`, { account: { number: 2 ** 53 } }],
  ['the string of a missing value', 'undefined', {}],
  ['the string of no value', 'null', { id: null }],
  ['the string of an object', '[object Object]', { id: {} }],
  ['nothing', undefined, {}],
  ['an empty string', '', { id: '' }]
]

for (const [title, id, raw] of ambiguous)
  t.test(`account-1: ${title} is no id, because several users could have it`, async (t) => {
    t.match(checkAccountId(id, { raw, tokens }), { problem: String })
  })

t.test('account-1: an id with every digit is one, as is a text that only looks like a missing value', async (t) => {
  for (const id of ['9007199254740993', 'ada', 7])
    t.same(checkAccountId(id, { raw: { id }, tokens }), { id: String(id) })
  t.same(checkAccountId('null', { raw: { login: 'null' }, tokens }), { id: 'null' })
})
