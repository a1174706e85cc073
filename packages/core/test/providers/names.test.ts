import t from 'tap'
import type { Profile } from '../../src/model/identity.ts'
import { joinName } from '../../src/providers/hooks/join-name.ts'
import { cases } from './cases.ts'

type Parts = readonly [first: unknown, last: unknown]

/** How the profile of a provider has the parts of a name. */
const profiles: Readonly<Record<string, (...parts: Parts) => Profile>> = {
  'boxyhq-saml': (firstName, lastName) => ({ id: '1', firstName, lastName }),
  foursquare: (firstName, lastName) => ({ response: { user: { id: '1', firstName, lastName, contact: {} } } }),
  freshbooks: (first_name, last_name) => ({ response: { id: 1, first_name, last_name } }),
  mattermost: (first_name, last_name) => ({ id: '1', first_name, last_name }),
  strava: (firstname, lastname) => ({ id: 1, firstname, lastname }),
  vk: (first_name, last_name) => ({ response: [{ id: 1, first_name, last_name }] }),
  workos: (first_name, last_name) => ({ id: '1', first_name, last_name }),
  zoho: (First_Name, Last_Name) => ({ ZUID: 1, First_Name, Last_Name }),
  zoom: (first_name, last_name) => ({ id: '1', first_name, last_name })
}

const expected: readonly (readonly [Parts, string | null])[] = [
  [['Ada', 'Lovelace'], 'Ada Lovelace'],
  [['Ada', null], 'Ada'],
  [['Ada', undefined], 'Ada'],
  [[undefined, 'Lovelace'], 'Lovelace'],
  [['', 'Lovelace'], 'Lovelace'],
  [[' ', ''], null],
  [[null, null], null],
  [[undefined, undefined], null]
]

t.test('a part of a name that is missing is left out', async (t) => {
  for (const [parts, name] of expected) t.equal(joinName(...parts), name, JSON.stringify(parts))
  t.equal(joinName('Ada', { a: 1 }, 7), 'Ada', 'what is no text is missing')
})

for (const [id, toProfile] of Object.entries(profiles)) {
  t.test(`${id}: a part of a name that is missing is left out`, async (t) => {
    const { profile } = cases.get(id)?.[0]?.make() ?? {}
    if (!profile) return t.fail('there is no such module')
    for (const [parts, name] of expected) {
      const user: unknown = await Reflect.apply(profile, undefined, [toProfile(...parts), {}])
      t.equal(Object(user).name, name, JSON.stringify(parts))
    }
  })
}
