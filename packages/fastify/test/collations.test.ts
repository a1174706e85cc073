import type { RateLimiter } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import mysql from 'mysql2/promise'
import t from 'tap'
import { startGuessing } from './advisories/perimeter-setup.ts'
import { mysqlPort, withoutServer } from './databases.ts'

const collations = ['utf8mb4_unicode_ci', 'utf8mb4_unicode_520_ci', 'utf8mb4_uca1400_ai_ci', 'utf8mb4_general_ci']

/** The code points of letters, digits, marks and symbols, without ideographs and Hangul syllables. */
const ranges = [
  [0xa0, 0x3400],
  [0xa000, 0xac00],
  [0xf900, 0x12800],
  [0x16a00, 0x17000],
  [0x1bc00, 0x1bd00],
  [0x1cc00, 0x1fc00]
] as const

const asciiLetters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
const characters = ranges.flatMap(([first, end]) =>
  Array.from({ length: end - first }, (_, index) => String.fromCodePoint(first + index))
)

/** In `npm test` each character is compared in one of the collations, in the long run in all of them. */
const share = isLong ? 1 : collations.length

/** The sort keys of characters: four hexadecimal digits for each weight. */
async function loadWeights(
  connection: mysql.Connection,
  collation: string,
  tested: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const weights = new Map<string, string>()
  const all = [...asciiLetters, ...tested]
  for (let start = 0; start < all.length; start += 4000) {
    const selects = all.slice(start, start + 4000).map((character) => {
      const text = `convert(x'${Buffer.from(character).toString('hex')}' using utf8mb4) collate ${collation}`
      return `select ${character.codePointAt(0)} as codePoint, hex(weight_string(${text})) as weight`
    })
    const [rows] = await connection.query<mysql.RowDataPacket[]>(selects.join(' union all '))
    for (const row of rows) weights.set(String.fromCodePoint(row['codePoint']), row['weight'])
  }
  return weights
}

/** Characters that compare as equal to a text of ASCII letters and digits, or to the empty text, with that text. */
async function loadEqualTexts(connection: mysql.Connection, collation: string) {
  const place = collations.indexOf(collation)
  const tested = characters.filter((_, index) => index % share === place % share)
  const weights = await loadWeights(connection, collation, tested)
  const letters = new Map(asciiLetters.map((letter) => [weights.get(letter), letter]))
  return tested.flatMap((character) => {
    const parts = (weights.get(character)?.match(/.{4}/g) ?? []).map((weight) => letters.get(weight))
    return parts.includes(undefined) ? [] : [[character, parts.join('')] as const]
  })
}

t.test(
  'characters that MariaDB compares as ASCII letters and digits share their counter',
  { skip: await withoutServer('MariaDB', mysqlPort) },
  async (t) => {
    const connection = await mysql.createConnection(`mysql://root@127.0.0.1:${mysqlPort}/test`)
    t.teardown(() => connection.end())
    const keys: string[] = []
    const limiter: RateLimiter = {
      consume: async (key) => {
        keys.push(key)
        return 0
      },
      refund: async () => undefined
    }
    const { guess } = await startGuessing(t, { username: {} }, { rateLimit: { limiter } })
    const lastKey = async (username: string): Promise<string> => {
      await guess({ username })
      return keys.at(-1) ?? ''
    }
    for (const collation of collations) {
      const equal = await loadEqualTexts(connection, collation)
      t.ok(equal.length > 400 / share, `${collation}: ${equal.length} characters`)
      for (let start = 0; start < equal.length; start += 40) {
        const batch = equal.slice(start, start + 40)
        const written = batch.map(([character]) => `-${character}`).join('')
        t.equal(await lastKey(`a${written}`), await lastKey(`a${batch.map(([, text]) => `-${text}`).join('')}`))
      }
    }
  }
)
