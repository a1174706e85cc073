import t from 'tap'
import { createScriptAssets } from '../../src/features/registry.ts'

const getNames = (script: string) => createScriptAssets('passkeys', script).map(({ name }) => name)

t.test('a script is named after its content: FNV-1a with 64 bits', async (t) => {
  // The vectors of the FNV specification (draft-eastlake-fnv).
  t.same(getNames(''), ['passkeys-cbf29ce484222325.js'])
  t.same(getNames('a'), ['passkeys-af63dc4c8601ec8c.js'])
  t.same(getNames('foobar'), ['passkeys-85944171f73967e8.js'])
})

t.test('the halves of the hash carry into each other', async (t) => {
  for (let length = 1; length <= 2000; length += 37) {
    const script = 'const ü = "\u{1F511}\u07FF"; '.repeat(length).slice(0, length)
    let hash = 0xcbf29ce484222325n
    for (const byte of Buffer.from(script)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
    t.same(getNames(script), [`passkeys-${hash.toString(16).padStart(16, '0')}.js`])
  }
})

t.test('there is no file without a script', async (t) => {
  t.same(createScriptAssets('passkeys', undefined), [])
})
