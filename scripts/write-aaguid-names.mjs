// Writes the names of passkey providers from a copy of aaguid.json of passkeydeveloper/passkey-authenticator-aaguids:
//   node scripts/write-aaguid-names.mjs aaguid.json 2026-08-07 [output]
// The date is that of the copy. Icons are left out. The repository states no license: clarify that the names may be
// distributed before you commit them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const target = join(import.meta.dirname, '../packages/account/src/passkey/aaguid-names.ts')

/** The longest name that a user can type. */
const maxLength = 64

function fail(message) {
  console.error(message)
  process.exit(1)
}

/** @returns {readonly (readonly [string, string])[]} Sorted by AAGUID. */
function readNames(file) {
  const entries = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
  // The list says that it will be an empty object once it is retired.
  if (entries.length === 0) fail(`${file}: expected entries; the list may have been retired`)
  return entries
    .map(([aaguid, { name }]) => {
      if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(aaguid)) fail(`${file}: expected an AAGUID, got ${aaguid}`)
      const isName = typeof name === 'string' && name.trim() === name && name !== '' && !/\p{C}/u.test(name)
      if (!isName || [...name].length > maxLength)
        fail(`${file}: expected a name of at most ${maxLength} characters for ${aaguid}`)
      return [aaguid, name]
    })
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** A string literal as the formatter writes it. */
const quote = (text) =>
  text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll(/[\\']/g, '\\$&')}'`

const [file, date = '', output = target] = process.argv.slice(2)
if (!file || !/^\d{4}-\d\d-\d\d$/.test(date)) fail('usage: write-aaguid-names.mjs aaguid.json YYYY-MM-DD [output]')
const lines = readNames(file).map(([aaguid, name]) => `  ['${aaguid}', ${quote(name)}]`)
writeFileSync(
  output,
  `/**
 * The names of passkey providers by AAGUID, as \`[aaguid, name]\`.
 *
 * From https://github.com/passkeydeveloper/passkey-authenticator-aaguids, aaguid.json of ${date}, by scripts/write-aaguid-names.mjs.
 */
export const aaguidNames: readonly (readonly [aaguid: string, name: string])[] = [
${lines.join(',\n')}
]
`
)
