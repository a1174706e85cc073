import { accountPages } from '@postern/account/pages'
import { memoryAdapter } from '@postern/adapters/memory'
import credentials from '@postern/core/providers/credentials'
import postern from '@postern/fastify'
import Fastify from 'fastify'
import { pin } from './pin.ts'

const app = Fastify()
await app.register(postern, {
  url: 'http://localhost:3000',
  secret: 'a secret for this example, which nobody needs to trust',
  adapter: memoryAdapter(),
  providers: [
    credentials({
      credentials: { password: { label: 'Password (lovelace)', type: 'password' } },
      authorize: ({ password }) => (password === 'lovelace' ? { id: '1', name: 'Ada', email: 'ada@example.com' } : null)
    }),
    pin()
  ],
  features: [accountPages()],
  events: { signIn: async ({ user }) => console.log(`Pass: ${await app.postern.features.pin.createPass(user.id)}`) }
})
await app.listen({ port: 3000 }, () => console.log('http://localhost:3000/api/auth/account'))
