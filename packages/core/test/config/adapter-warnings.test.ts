import t from 'tap'
import { createPostern } from '../../src/index.ts'

const names = [
  ...['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'updateUser', 'deleteUser', 'linkAccount'],
  ...['unlinkAccount', 'getAccounts', 'createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
  ...['deleteSessions', 'listSessions', 'revoke', 'getRevocations', 'listRevocations']
]

/** The warnings at start. */
function allWarnings(
  session: object,
  missing: readonly string[] = [],
  more: readonly string[] = []
): readonly string[] {
  const lines: string[] = []
  const methods = [...names, ...more].filter((name) => !missing.includes(name)).map((name) => [name, () => null])
  createPostern({
    url: 'https://app.test',
    secret: 'a secret of the tests, 32 characters or more',
    providers: [],
    adapter: Object.fromEntries(methods),
    session,
    logger: { warn: (_code, text) => void lines.push(String(text)) }
  })
  return lines
}

/** Those about sessions that cannot be ended. */
function warnings(session: object, missing: readonly string[] = []): readonly string[] {
  return allWarnings(session, missing).filter((line) => line.includes('sessions would remain valid'))
}

t.test('adapter-1: startup logs if the adapter cannot end sessions, by their strategy', async (t) => {
  t.equal(warnings({ strategy: 'database' }).length, 0)
  t.equal(warnings({ strategy: 'database', revocations: false }).length, 0, 'revocations are about JWT sessions')
  t.match(warnings({ strategy: 'database' }, ['deleteSessions']), [/without deleteSessions/])
  t.equal(warnings({ strategy: 'jwt' }).length, 0)
  t.match(warnings({ strategy: 'jwt', revocations: false }), [
    /^session\.revocations: with false, app\.postern\.unlink .*; remove session\.revocations, or pass/
  ])
  t.match(warnings({ strategy: 'jwt' }, ['revoke']), [/without revoke,/])
})

t.test('startup logs how to keep the sessions of next-auth, if its adapter is used with its options', async (t) => {
  const about = /^session\.storage: not set, .*'plain' while next-auth is running, 'both' .*, and 'hashed'/
  const ofNextAuth = ['listSessions', 'deleteSessions', 'getAccounts', 'revoke', 'getRevocations', 'listRevocations']
  const find = (session: object, missing: readonly string[] = ofNextAuth): readonly string[] =>
    allWarnings(session, missing).filter((line) => line.startsWith('session.storage'))
  t.match(find({ strategy: 'database', maxAge: 30 * 86_400 }), [about])
  t.match(find({}), [about], 'database sessions are the default with an adapter')
  for (const storage of ['hashed', 'both', 'plain'])
    t.same(find({ strategy: 'database', storage }), [], 'an option that is set is a decision')
  t.same(find({ strategy: 'jwt' }), [], 'next-auth encrypts them in the same way')
  t.same(find({ strategy: 'database' }, []), [], 'an adapter of Postern')
})

t.test(
  'startup logs what a killed process may leave if the adapter has versions of users without transactions',
  async (t) => {
    const find = (more: readonly string[]): readonly string[] =>
      allWarnings({}, [], more).filter((line) => line.includes('killed'))
    const versions = ['getUserVersion', 'advanceUser']
    t.match(find(versions), [/^adapter: without transact, .*OAuthAccountNotLinked.*docs\/adapters\.md/])
    t.same(find([...versions, 'transact']), [])
    t.same(find([]), [], 'without versions, other operations are refused')
  }
)
