import { memoryAdapter } from '@postern/adapters/memory'
import { encode, type GetTokenOptions, getToken, type Token } from '@postern/core/jwt'
import { cookieNames, secret, signInByForm, start } from '../start.ts'
import type { Replay } from './replay.ts'

const { sessionToken: name } = cookieNames

export const tokens: readonly Replay[] = [
  [
    'P7g',
    'getToken accepts the token of a session that was ended',
    async (t) => {
      const adapter = memoryAdapter()
      const { app, browser } = await start(t, {
        adapter,
        session: { strategy: 'jwt' },
        // getToken reads the clock of the process.
        runtime: { now: Date.now },
        stays: 'it reads its adapter'
      })
      const old = await encode({ token: { sub: 'id-grace' }, secret })
      for (const end of [
        () => browser.submit('/api/auth/signout', {}),
        () => app.postern.sessions.revokeAll('id-grace')
      ]) {
        await signInByForm(browser)
        const token = browser.cookies.get(name) ?? ''
        const req = { headers: { cookie: `${name}=${token}` } }
        const ask = (more: Partial<GetTokenOptions> = {}): Promise<Token | string | null> =>
          getToken({ req, secret, ...more })
        t.match(await ask({ revocations: adapter }), { sub: 'id-grace' })
        t.equal(await ask({ revocations: adapter, raw: true }), token)
        await end()
        t.equal(await ask({ revocations: adapter }), null)
        t.equal(await ask({ revocations: adapter, raw: true }), null)
        for (const raw of [false, true])
          await t.rejects(ask({ raw }), {
            name: 'TypeError',
            message: /revocations: adapter.*revocations: 'unchecked'/
          })
        t.match(await ask({ revocations: 'unchecked' }), { sub: 'id-grace' }, 'it is stated that nothing is checked')
        const bearer = { headers: { ...req.headers, authorization: `Bearer ${token}` } }
        t.equal(await ask({ req: bearer, revocations: adapter }), null)
      }
      const req = { headers: { authorization: `Bearer ${old}` } }
      t.match(await getToken({ req, secret }), { sub: 'id-grace' }, 'a token of next-auth v4 names no version')
      t.equal(await getToken({ req, secret, revocations: adapter }), null, 'its iat counts as one')
    }
  ]
]
