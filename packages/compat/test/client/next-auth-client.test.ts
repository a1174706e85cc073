// The tests of next-auth's client, which its package contains, with Postern's client.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isLong } from '@postern/testkit/long'
import t from 'tap'

const files = ['client-provider', 'csrf', 'providers', 'session', 'sign-in', 'sign-out', 'use-session-hook']

/** Compare the text of a `SyntaxError` of Node 16, so they fail with next-auth's client, too. */
const ofAnotherNode = [
  "when the fetch fails it'll throw a client fetch error",
  "when failing to fetch the providers, it'll log the error",
  "if there's an error fetching the session, it should log it"
]

/** Expect the calls of next-auth's own logger module, or the text of its error. */
const internal = [
  'when it fails to fetch the providers, it redirected back to signin page',
  "it won't allow to fetch the session in isolation without a session context"
]

/** With React 18, as packages/react draws with both, and with next-auth's own client in the long run. */
const cases = [
  { client: '@postern/react', major: '19', failing: [...ofAnotherNode, ...internal] },
  ...(isLong
    ? [
        { client: '@postern/react', major: '18', failing: [...ofAnotherNode, ...internal] },
        { client: 'next-auth/react', major: '19', failing: ofAnotherNode }
      ]
    : [])
]

type Results = readonly (readonly [name: string, failure: string | null])[]

async function runFile(file: string, client: string, major: string): Promise<Results> {
  const program = fileURLToPath(new URL('run-file.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, `${file}.test.js`, client, major])
  return JSON.parse(stdout.slice(stdout.lastIndexOf('[["')))
}

for (const { client, major, failing } of cases) {
  t.test(`${client} with React ${major}`, async (t) => {
    const results = (await Promise.all(files.map((file) => runFile(file, client, major)))).flat()
    t.equal(results.length, 35)
    for (const [name, failure] of results) {
      if (failing.includes(name)) t.not(failure, null, `${name}: expected to fail`)
      else t.equal(failure, null, name)
    }
  })
}
