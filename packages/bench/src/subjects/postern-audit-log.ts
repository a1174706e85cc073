import { auditLog } from '@postern/account/audit-log'
import type { Feature, Refusal } from '@postern/core/feature'
import { createApplication } from './postern.ts'
import { getOrigin, refusalsPerRequest, type Subject } from './subject.ts'

/** Users whom refusals are about: more than the audit log counts separately. */
const users = 5000

type OnRefusal = (refusal: Refusal) => void

/** The audit log, and the function that it gets refusals by. */
function observe(log: Feature): { readonly feature: Feature; readonly refuse: OnRefusal } {
  let onRefusal: OnRefusal | undefined
  const setup: Feature['setup'] = (context) => {
    const parts = log.setup(context)
    onRefusal = parts.onRefusal
    return parts
  }
  return { feature: { ...log, setup }, refuse: (refusal) => onRefusal?.(refusal) }
}

/** A refusal; every other one is about a user. */
const createRefusal = (index: number, request: Refusal['request']): Refusal => ({
  code: 'CredentialsSignin',
  reason: null,
  kind: 'sign-in',
  route: '/callback/:provider',
  provider: 'people',
  userId: index % 2 === 0 ? null : `user-${index % users}`,
  request
})

/** Postern with the audit log. It needs a store. `/refuse` reports many refusals at once: more than a server has responses for. */
export const subject: Subject = {
  start: async (settings) => {
    const { feature, refuse } = observe(auditLog())
    const origin = getOrigin(settings)
    const app = await createApplication(settings, origin, { features: [feature] })
    let count = 0
    app.post('/refuse', async ({ id, ip, headers }) => {
      const request = { id, origin, client: ip, headers, cookies: new Map<string, string>() }
      for (let index = 0; index < refusalsPerRequest; index++) refuse(createRefusal(count++, request))
      return {}
    })
    app.post('/flush', async () => {
      await app.postern.features['audit-log'].flush()
      return {}
    })
    await app.listen({ port: settings.port, host: '127.0.0.1' })
  }
}
