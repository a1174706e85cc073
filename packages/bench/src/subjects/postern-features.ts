import { accountPages } from '@postern/account/pages'
import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import email from '@postern/core/providers/email'
import { createApplication } from './postern.ts'
import { getLocalOrigin, type Subject } from './subject.ts'

/** Postern with passwords, passkeys and the account page. It needs a store. */
export const subject: Subject = {
  start: async (settings) => {
    const app = await createApplication(settings, getLocalOrigin(settings), {
      mailer: email({ server: 'smtp://127.0.0.1:1', from: 'mail@example.com' }),
      providers: [password(), passkey()],
      features: [accountPages()]
    })
    // Passkeys are added after a fresh sign-in; the provider does not say when the user has authenticated.
    app.post('/enter', async (request, reply) => {
      const { userId = '' } = (await request.getAuthentication()) ?? {}
      const { kind } = await app.postern.signIn(request, reply, userId)
      return { kind }
    })
    await app.listen({ port: settings.port, host: '127.0.0.1' })
  }
}
