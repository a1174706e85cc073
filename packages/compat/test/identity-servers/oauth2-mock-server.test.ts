import { OAuth2Server } from 'oauth2-mock-server'
import { declareTests } from './checks.ts'

declareTests(
  {
    name: 'oauth2-mock-server',
    version: '9.3.0',
    user: { name: null, email: null },
    offers: { refresh: true, signOut: true, backchannelLogout: false, fresh: false },
    start: async (t) => {
      const server = new OAuth2Server()
      await server.issuer.keys.generate('RS256')
      await server.start(0, '127.0.0.1')
      t.teardown(() => server.stop())
      return {
        provider: { issuer: server.issuer.url ?? '', clientSecret: 'a secret' },
        act: () => Promise.reject(new Error('the server has no pages'))
      }
    }
  },
  true
)
